model A
  Real x = time;
equation
  when initial() then
    assert(x > 0.2, "x starts at " + String(x));
  end when;
end A;
