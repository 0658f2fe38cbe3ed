model A
  B b;
  model B
    outer function f = g;
    Real y = f(time);
  end B;
  function g
    input Real u;
    output Real y = u;
  end g;
end A;
