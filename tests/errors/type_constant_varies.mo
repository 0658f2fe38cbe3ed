model A
  parameter Real p = 1;
  constant Real c = p;
end A;
