model A
  Real x = 1 + true;
end A;
