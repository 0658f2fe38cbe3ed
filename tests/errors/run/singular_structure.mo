model A
  Real x, y, z, w;
equation
  x + y = 1;
  x - y = time;
  x + 2*y = 3;
  w = z + x;
end A;
