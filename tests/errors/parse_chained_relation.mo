model A
  Boolean b = 1 < time < 2;
end A;
