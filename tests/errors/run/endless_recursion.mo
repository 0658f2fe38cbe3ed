model A
  function f
    input Real u;
    output Real y;
  algorithm
    y := f(u + 1);
  end f;
  Real x = f(time);
end A;
