model A
  parameter Real p = 1;
  Real x = time;
equation
  assert(p > 2, "p is " + String(p) + ", but must be greater than 2");
end A;
