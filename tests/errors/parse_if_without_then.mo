model A
  Real x;
equation
  if true
    x = 1;
  end if;
end A;
