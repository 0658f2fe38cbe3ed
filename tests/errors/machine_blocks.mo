model A
  block S
  end S;
  block T
    S b;
  end T;
  block U
    S a;
  equation
    transition(a, a, true, immediate = false);
  end U;
  U u;
  S c;
  Real v = sample(time, Clock(0.1));
equation
  initialState(u.a);
  transition(u.a, c, v > 1, priority = 2);
end A;
