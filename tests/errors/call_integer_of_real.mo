model A
  Integer i = Integer(1.5);
end A;
