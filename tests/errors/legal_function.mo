function f
  input Real u;
  output Real y;
  Real help;
algorithm
  help := u;
algorithm
  y := help + time;
end f;
model A
  Real y = f(time);
end A;
