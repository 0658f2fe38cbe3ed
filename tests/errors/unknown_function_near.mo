model A
  Real x = sqr(2);
end A;
