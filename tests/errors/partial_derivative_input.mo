model A
  function f
    input Real x;
    input Integer n;
    output Real y = n*x;
  end f;
  function fn = der(f, n);
  Real y = fn(time, 2);
end A;
