model D
  Real x(start = 1, fixed = true);
equation
  der(x) = -delay(x, 1);
end D;
