model A
  Real x[2] = {1, 2};
  Real y = sum(:);
end A;
