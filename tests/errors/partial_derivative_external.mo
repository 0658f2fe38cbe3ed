model A
  function f
    input Real x;
    output Real y;
    external "C" y = sin(x);
  end f;
  function fx = der(f, x);
  Real y = fx(time);
end A;
