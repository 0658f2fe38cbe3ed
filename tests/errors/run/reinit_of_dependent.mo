model A
  Real x(start = 1, fixed = true), y = 2*x;
equation
  der(x) = -1;
  when x < 0.5 then
    reinit(y, 4);
  end when;
end A;
