model A
  Integer n = ticksInState();
  block S
  end S;
  S a;
  Real u = sample(time, Clock(0.1)) + n;
equation
  initialState(a);
end A;
