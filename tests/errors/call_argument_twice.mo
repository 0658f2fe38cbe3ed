function f
  input Real u;
  output Real y = u;
end f;
model A
  Real x = f(1, u = 2);
end A;
