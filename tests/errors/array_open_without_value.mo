model A
  parameter Real x[:];
end A;
