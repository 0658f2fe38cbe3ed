model A
  Real 2x;
end A;
