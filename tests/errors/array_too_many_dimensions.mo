model A
  Real x[1, 1, 1, 1, 1];
end A;
