model A
  parameter String s = "a\qb";
end A;
