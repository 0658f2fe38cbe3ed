model A
  parameter Real x = "1";
end A;
