type E = enumeration(a, b);
type F = enumeration(a, b);
model A
  parameter E e = F.a;
end A;
