model A
  parameter String s = "abc;
end A;
