function f
  input Real u;
  output Real y;
protected
  Real a[n];
  Integer n;
algorithm
  y := u;
end f;
model A
  Real x = f(time);
end A;
