model B
  Real x = 1;
end B;
model A
  B b if false;
  Real y = b.x;
end A;
