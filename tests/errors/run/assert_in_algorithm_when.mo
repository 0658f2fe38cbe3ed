model A
  Real x = time;
algorithm
  when time > 0.5 then
    assert(x < 0.2, "x is too large");
  end when;
end A;
