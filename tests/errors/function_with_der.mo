function f
  input Real u;
  output Real y;
algorithm
  y := der(u);
end f;
model A
  Real x = f(time);
end A;
