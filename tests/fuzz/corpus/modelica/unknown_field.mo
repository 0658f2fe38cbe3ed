record R
  Real a;
end R;
function f
  input R r;
  output Real y;
algorithm
  y := r.b;
end f;
model A
  Real x = f(R(1));
end A;
