function f
  input Real u;
  output Real y = u;
end f;
