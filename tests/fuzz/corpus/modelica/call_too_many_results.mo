function f
  input Real u;
  output Real y = u;
end f;
model A
  Real a;
  Real b;
equation
  (a, b) = f(1);
end A;
