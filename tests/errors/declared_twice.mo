model A
  Real x = 1;
  Real x = 2;
end A;
