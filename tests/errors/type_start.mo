model A
  Real x(start = true) = 1;
end A;
