model A
  Boolean b = not 1;
end A;
