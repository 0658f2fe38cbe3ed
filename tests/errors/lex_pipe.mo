model A
  Boolean b = true || false;
end A;
