model A
  parameter Real p = 1;
  Real x = p;
equation
  when time > 1 then
    p = 2;
  end when;
end A;
