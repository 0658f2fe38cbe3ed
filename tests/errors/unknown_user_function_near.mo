function square
  input Real u;
  output Real y = u^2;
end square;
model A
  Real x = sqare(2);
end A;
