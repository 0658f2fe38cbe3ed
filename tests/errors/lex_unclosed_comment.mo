model A
  Real x; /* open
end A;
