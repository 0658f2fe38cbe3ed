function g
  input Real u;
  output Real y = u;
end g;
model A
  Real x = f(function g());
  function f
    input Real u;
    output Real y = u;
  end f;
end A;
