model A
  Real x[2] = 1;
end A;
