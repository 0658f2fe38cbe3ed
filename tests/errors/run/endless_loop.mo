model A
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
    while y > 0 loop
      y := y + 1;
    end while;
  end f;
  Real x = f(1 + time);
end A;
