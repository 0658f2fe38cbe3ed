partial function Scalar
  input Real u;
  output Real y;
end Scalar;
function square
  extends Scalar;
  input Real a;
algorithm
  y := a*u^2;
end square;
function at
  input Scalar f;
  input Real x;
  output Real y;
algorithm
  y := f(x);
end at;
function constantOne
  output Real y;
algorithm
  y := 1;
end constantOne;
model A
  Real x = at(square, 3);
end A;
