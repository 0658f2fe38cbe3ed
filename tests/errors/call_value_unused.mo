model A
  Real x = 1;
equation
  sin(x);
end A;
