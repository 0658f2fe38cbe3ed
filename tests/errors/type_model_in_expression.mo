model B
  Real x = 1;
end B;
model A
  B b;
  Real y = b + 1;
end A;
