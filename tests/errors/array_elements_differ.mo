model A
  Real x[2] = {1, {2, 3}};
end A;
