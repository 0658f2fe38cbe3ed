model B
  Real x = 1;
end B;
model A
  B b;
  B c;
equation
  connect(b, c);
end A;
