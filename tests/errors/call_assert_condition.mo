model A
  Real x = time;
equation
  assert(x, "too large");
end A;
