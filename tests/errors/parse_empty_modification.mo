model A
  Real x(start = ) = 1;
end A;
