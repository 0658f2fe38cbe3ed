model A
  function root
    input Real u;
    output Real y;
  algorithm
    assert(u >= 0, "the root of " + String(u));
    y := sqrt(u);
  end root;
  parameter Real p = -2;
  parameter Real q = root(p);
end A;
