model A
  Real x;
equation
  der(x) = 1;
  reinit(x, 0);
end A;
