model A
  Real x(strat = 1) = 2;
end A;
