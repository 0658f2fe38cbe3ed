model M
  parameter Real p[65536, 65537] = fill(1.0, 65536, 65537);
  Real x;
equation
  der(x) = p[60000, 60000];
end M;
