model A
  parameter String s = String({1, 2});
end A;
