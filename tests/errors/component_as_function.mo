model A
  Real x = 1;
  Real y = x(1);
end A;
