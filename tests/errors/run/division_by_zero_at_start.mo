model A
  parameter Real m = 0;
  Real v(start = 1, fixed = true);
equation
  der(v) = -10/m;
end A;
