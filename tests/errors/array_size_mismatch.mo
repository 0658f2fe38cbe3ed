model A
  Real x[3] = {1, 2};
end A;
