model B
  Real x = 1;
end B;
model A
  Real y = B(1);
end A;
