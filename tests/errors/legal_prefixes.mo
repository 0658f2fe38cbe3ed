model M
  Real x = 1;
end M;
connector C
  Real e;
  flow Integer f;
end C;
connector D
  output Real y;
end D;
model A
  parameter M m;
  C c;
  output D d;
end A;
