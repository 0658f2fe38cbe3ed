model A
  Real x = tme;
end A;
