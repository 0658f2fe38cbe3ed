model A
  Real x;
equation
  x = time;
  x = 2 * time;
end A;
