function f
  input Real u;
  output Real y = u;
end f;
model A
  Real x = f(v = 1);
end A;
