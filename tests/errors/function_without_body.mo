function f
  input Real u;
  output Real y;
end f;
model A
  Real x = f(time);
end A;
