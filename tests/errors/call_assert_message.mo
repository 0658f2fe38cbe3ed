model A
  Real x = time;
equation
  assert(x < 1, 5);
end A;
