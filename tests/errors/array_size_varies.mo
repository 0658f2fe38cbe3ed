model A
  Integer n = integer(time);
  Real x[n];
end A;
