model A
  Real x = if time then 1 else 2;
end A;
