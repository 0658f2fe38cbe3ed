function f
  input Real u;
  output Real y;
algorithm
  u := 2;
  y := u;
end f;
model A
  Real x = f(1);
end A;
