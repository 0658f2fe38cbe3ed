model A
  Real x[2] = [1, 2, 3; 4, 5, 6] * {1, 2};
end A;
