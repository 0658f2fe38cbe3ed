model A
  parameter Integer n = m;
  parameter Integer m = n;
  Real x[n] = ones(n);
end A;
