model A
  Real x = sin(true);
end A;
