model A
  block S
    outer output Integer v;
  equation
    v = previous(v) + 1;
  end S;
  S a, b;
  inner Integer v(start = 0);
  Real u = sample(time, Clock(0.1)) + v;
equation
  initialState(a);
  initialState(b);
end A;
