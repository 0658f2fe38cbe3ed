model B
  Real x = 1;
end B;
model A
  B b = 2;
end A;
