model A
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
algorithm
  when x > 0.5 then
    n := 2;
    assert(n < 1, "n is " + String(n));
  end when;
end A;
