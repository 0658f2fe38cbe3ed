function f
  input Boolean u;
  output Real y = 1;
end f;
model A
  Real x = f(2);
end A;
