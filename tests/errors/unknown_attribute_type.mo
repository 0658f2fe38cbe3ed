model A
  Real x(length = 1) = 2;
end A;
