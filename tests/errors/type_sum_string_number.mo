model A
  parameter String s = "a" + 1;
end A;
