model A
  Real x = if time > 1 then 1 else true;
end A;
