model A
  block S
  end S;
  S a, b;
  Real u = sample(time, Clock(0.1));
equation
  initialState(a);
  transition(a, b, u > 1);
  transition(a, b, u > 2);
end A;
