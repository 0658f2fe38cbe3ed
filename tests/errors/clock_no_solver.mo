model A
  Real x(start = 1);
equation
  when Clock(0.1) then
    der(x) = -x;
  end when;
end A;
