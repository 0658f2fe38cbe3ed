model A
  Real x(unit = "m", start = 0);
  Real a(unit = "m/s2") = 1;
equation
  der(x) = a;
end A;
