connector C
  Real v;
  flow Real i;
end C;
connector D
  flow Real v;
  Real i;
end D;
model A
  C c;
  D d;
equation
  connect(c, d);
end A;
