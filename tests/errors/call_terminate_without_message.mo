model A
  Real x = time;
equation
  when x > 1 then
    terminate();
  end when;
end A;
