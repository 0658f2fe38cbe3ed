model A
  Real x(unit = "m") = 1;
  Real v(unit = "m/s");
equation
  v = x;
end A;
