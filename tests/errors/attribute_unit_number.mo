model A
  Real x(unit = 5) = time;
end A;
