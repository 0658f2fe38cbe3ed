model A
  Real x(start = 1);
equation
  x*x = -1;
end A;
