model A
  Real x[3;
end A;
