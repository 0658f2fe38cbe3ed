model A
  parameter Real a = 1;
  Real x, y;
equation
  a*x + y = 1 + time;
  x + y = 2;
end A;
