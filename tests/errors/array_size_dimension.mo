model A
  Real x[2] = {1, 2};
  Integer n = size(x, 2);
end A;
