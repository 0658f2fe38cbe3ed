model A
  block S
  end S;
  S a, b, c;
  Real u = sample(time, Clock(0.1));
  Boolean on = activeState(c);
equation
  initialState(a);
  transition(a, b, u > 1);
end A;
