connector C
  Real v;
  flow Real i;
end C;
connector D
  Real p;
  flow Real m;
end D;
model A
  C c;
  D d;
equation
  connect(c, d);
end A;
