model A
  function f
    input Real x;
    output Integer n = integer(x);
  end f;
  function fx = der(f, x);
  Real y = fx(time);
end A;
