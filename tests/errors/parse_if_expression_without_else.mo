model A
  Real x = if time > 1 then 2;
end A;
