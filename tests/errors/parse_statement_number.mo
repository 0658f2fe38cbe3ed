model A
  Real x;
algorithm
  1 := 2;
end A;
