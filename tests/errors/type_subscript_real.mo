model A
  Real x[2] = {1, 2};
  Real y = x[1.5];
end A;
