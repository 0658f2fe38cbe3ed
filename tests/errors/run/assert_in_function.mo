model A
  function root
    input Real u;
    output Real y;
  algorithm
    assert(u >= 0, "the root of " + String(u));
    y := sqrt(u);
  end root;
  Real y = root(-2 - time);
end A;
