model A
  Real x[2] = {1, true};
end A;
