model A
  Real x(start = 0, fixed = true), y = sample(x, Clock(0.1));
equation
  der(x) = 1 - y;
end A;
