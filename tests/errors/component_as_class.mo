model A
  Real x = 1;
  x y;
end A;
