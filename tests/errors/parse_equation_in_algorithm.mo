model A
  Real x;
algorithm
  x = 1;
end A;
