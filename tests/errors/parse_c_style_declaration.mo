model A
  double x = 1;
  Real y = x
end A;
