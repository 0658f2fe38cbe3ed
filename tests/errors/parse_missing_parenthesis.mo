model A
  Real x = (1 + 2;
end A;
