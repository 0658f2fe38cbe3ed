model A
  block S
  end S;
  S a, b;
equation
  initialState(a);
  when Clock(0.1) then
    transition(a, b, true);
  end when;
end A;
