model A
  Real x = time;
equation
  assert(x < 1);
end A;
