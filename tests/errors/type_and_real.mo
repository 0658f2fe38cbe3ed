model A
  Boolean b = 1 and true;
end A;
