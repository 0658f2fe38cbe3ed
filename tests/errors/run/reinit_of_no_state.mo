model A
  Real x = sin(time);
equation
  when time > 0.5 then
    reinit(x, 0);
  end when;
end A;
