function f
  input Integer n;
  output Real y;
protected
  Real z[n, n + 1];
algorithm
  z[60000, 60000] := 1;
  y := z[60000, 60000];
end f;
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = f(integer(65536 + time*0));
end M;
