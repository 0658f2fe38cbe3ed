model A
  parameter Real p = time;
end A;
