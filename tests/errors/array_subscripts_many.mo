model A
  Real x[2] = {1, 2};
  Real y = x[1, 1];
end A;
