model A
  Real x = 1;
initial equation
  when time > 1 then
    x = 1;
  end when;
end A;
