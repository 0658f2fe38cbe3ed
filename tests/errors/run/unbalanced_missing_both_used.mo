model A
  Real x;
  Real y;
equation
  x + y = time;
end A;
