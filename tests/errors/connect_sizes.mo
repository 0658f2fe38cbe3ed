connector C = Real;
model A
  C c[2];
  C d[3];
equation
  connect(c, d);
end A;
