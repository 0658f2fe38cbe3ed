model A
  Real x[3] = cat(1, {1, 2}, 3);
end A;
