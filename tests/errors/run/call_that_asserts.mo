model A
  function positive
    input Real u;
  algorithm
    assert(u > 0, "u = " + String(u));
  end positive;
equation
  positive(-1 - time);
end A;
