model A
  Real x(start = 0, fixed = true);
equation
  der(x) = sqrt(x - 1);
end A;
