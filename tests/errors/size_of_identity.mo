model M
  parameter Real a[:, :] = identity(65536);
  parameter Real b[:, :] = identity(-1);
  Real x = a[1, 1];
end M;
