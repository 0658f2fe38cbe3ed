model A
  Real x = time;
  Real fast = sample(x, Clock(1, 10)), slow = sample(x, Clock(1, 5));
  Real sum = fast + slow;
end A;
