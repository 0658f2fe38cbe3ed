model A
  block S
    Integer n(start = 0);
  equation
    n = previous(n) + 1;
  end S;
  S a, b;
  Real u = sample(time, Clock(0.1));
equation
  initialState(a);
  transition(a, b, a.n > 3 and u > 0);
end A;
