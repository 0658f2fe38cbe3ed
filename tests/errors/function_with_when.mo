function f
  input Real u;
  output Real y;
algorithm
  when u > 1 then
    y := u;
  end when;
end f;
model A
  Real x = f(1);
end A;
