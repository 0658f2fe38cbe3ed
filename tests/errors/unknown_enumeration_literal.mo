type E = enumeration(red, green);
model A
  parameter E e = E.blue;
end A;
