model A
  Real x[2] = transpose({1, 2});
end A;
