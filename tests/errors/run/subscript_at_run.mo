model A
  Integer k = integer(10*time) + 1;
  Real a[3] = {1, 2, 3};
  Real x(start = 0, fixed = true);
equation
  der(x) = a[k];
end A;
