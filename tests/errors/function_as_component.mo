function f
  input Real u;
  output Real y = u;
end f;
model A
  f g;
  Real x = 1;
end A;
