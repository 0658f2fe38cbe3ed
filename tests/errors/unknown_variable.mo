model A
  Real x = y;
end A;
