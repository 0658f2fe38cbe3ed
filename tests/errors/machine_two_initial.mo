model A
  block S
  end S;
  S a, b;
  Real u = sample(time, Clock(0.1));
equation
  initialState(a);
  initialState(b);
  transition(a, b, u > 1);
end A;
