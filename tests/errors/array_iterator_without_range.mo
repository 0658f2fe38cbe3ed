model A
  Real x = sum(1 for i);
end A;
