function f
  input Real u;
  output Real y = u^2;
end f;
function df = der(f, u);
model A
  Real x = df(time);
end A;
