model A
  Integer i = 1.5;
end A;
