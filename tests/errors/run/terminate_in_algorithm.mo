model A "the note tells who ended the run; the assertion comes afterwards"
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
algorithm
  when x > 0.5 then
    terminate("far enough");
  end when;
equation
  when terminal() then
    assert(time > 0.6, "it ended at t = " + String(time, significantDigits = 3));
  end when;
end A;
