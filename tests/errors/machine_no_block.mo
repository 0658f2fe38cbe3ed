model A
  Real a, b;
equation
  initialState(a);
  a = time;
  b = time;
end A;
