model A
  Real x;
equation
  der(x) = 1;
  when x > 1 then
    reinit(2 * x, 0);
  end when;
end A;
