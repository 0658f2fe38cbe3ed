model A
  function f
    input Real a;
    input Real b;
    output Real y = a + b;
  end f;
  Real x = f(a = 1, 2);
end A;
