model A
  Boolean b = 1;
end A;
