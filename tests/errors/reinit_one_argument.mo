model A
  Real x;
equation
  der(x) = 1;
  when x > 1 then
    reinit(x);
  end when;
end A;
