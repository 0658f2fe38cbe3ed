type E = enumeration(a, b);
model A
  parameter E e = 1;
end A;
