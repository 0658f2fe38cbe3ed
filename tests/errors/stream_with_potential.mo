connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
connector Plain
  Real p;
  flow Real m;
  Real h;
end Plain;
model A
  Port a;
  Plain b;
equation
  connect(a, b);
end A;
