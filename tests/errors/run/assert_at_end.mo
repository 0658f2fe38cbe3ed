model A
  Real x = time;
equation
  when terminal() then
    assert(x < 0.2, "x ends at " + String(x));
  end when;
end A;
