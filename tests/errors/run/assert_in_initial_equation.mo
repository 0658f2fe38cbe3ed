model A
  Real x = time;
initial equation
  assert(x > 0.2, "x is too small at the start");
end A;
