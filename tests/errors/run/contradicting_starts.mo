model A "A fixed start value that follows from another one must agree with it"
  Real x(start = 1, fixed = true), y(start = 5, fixed = true), z(start = 3, fixed = true);
equation
  der(x) = -x;
  y = 2*x;
  z = 3*x;
end A;
