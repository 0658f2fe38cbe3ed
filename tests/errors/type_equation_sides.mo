model A
  Boolean b;
equation
  b = 1.0;
end A;
