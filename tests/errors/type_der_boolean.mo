model A
  Boolean b = time > 1;
  Real x = der(b);
end A;
