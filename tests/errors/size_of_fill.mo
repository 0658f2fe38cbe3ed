model M
  Real x;
equation
  der(x) = sum(fill(time, 65536, 65537));
end M;
