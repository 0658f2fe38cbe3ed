model A
  Real x;
equation
  if true then
    x = 1;
end A;
