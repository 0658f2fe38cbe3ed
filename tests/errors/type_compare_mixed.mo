model A
  Boolean b = 1 < true;
end A;
