connector C
  Real p;
  flow Real m;
  stream Real h;
end C;
model A
  C c;
  C d;
equation
  connect(c, d);
end A;
