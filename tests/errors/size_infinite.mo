model M
  parameter Integer k = div(1, 0);
  Real x[k];
equation
  der(x) = fill(1, k);
end M;
