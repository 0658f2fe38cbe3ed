model A
  Integer i;
equation
  i = time;
end A;
