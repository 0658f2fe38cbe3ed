model A
  Real x, y, z;
equation
  x + y = 1;
  x - 2*y = time;
  2*x + y = 3;
  der(z) = x;
end A;
