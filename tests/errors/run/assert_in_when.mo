model A
  Real x = time;
equation
  when time > 0.5 then
    assert(x < 0.2, "x is " + String(x));
  end when;
end A;
