model A
  Real x(unit = "mm") = 1;
  Real y(unit = "m");
equation
  y = x;
end A;
