model A
  parameter String s = 1;
end A;
