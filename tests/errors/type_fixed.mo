model A
  Real x(fixed = 1);
equation
  der(x) = 1;
end A;
