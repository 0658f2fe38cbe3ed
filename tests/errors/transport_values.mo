model A
  Real x(start = 0, fixed = true), a, b;
equation
  der(x) = 1;
  (a, b) = spatialDistribution(0, 0, x, true, {0, 1}, {1, 1, 1});
end A;
