model A
  Real x = 2 * / 3;
end A;
