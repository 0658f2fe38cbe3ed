model A
  Real x = 1;
