model A
  Real x;
  Real y;
equation
  x = time;
end A;
