model A
  Real x[2.5];
end A;
