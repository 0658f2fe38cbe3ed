model A
  block S
  end S;
  S a, b;
  Real u = sample(time, Clock(0.1));
equation
  initialState(a);
  transition(a, b, u > 1, priority = 0);
end A;
