type E = enumeration(1, 2);
model A
  E e = E.one;
end A;
