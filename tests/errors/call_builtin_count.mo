model A
  Real x = sin(1, 2);
end A;
