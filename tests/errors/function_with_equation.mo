function f
  input Real u;
  output Real y;
equation
  y = u;
end f;
model A
  Real x = f(1);
end A;
