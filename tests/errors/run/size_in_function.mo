function f
  input Real u;
  output Real y;
protected
  Real z[65536, 65537];
algorithm
  z[60000, 60000] := u;
  y := z[60000, 60000];
end f;
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = f(time);
end M;
