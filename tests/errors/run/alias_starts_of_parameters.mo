model A "As alias_starts, but the numbers are known only at the start"
  parameter Real p = 1, q = 7;
  Real x(start = p, fixed = true), y(start = q, fixed = true);
equation
  der(x) = -x;
  y = x;
end A;
