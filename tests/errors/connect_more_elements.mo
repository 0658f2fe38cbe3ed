connector C
  Real v;
end C;
connector D
  Real v;
  Real w;
end D;
model A
  C c;
  D d;
equation
  connect(c, d);
end A;
