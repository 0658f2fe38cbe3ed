model A
  Real x = 1;
  Real y = 1;
equation
  connect(x, y);
end A;
