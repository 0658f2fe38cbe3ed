model A
  Real y = sample(time, Clock(1, 0));
end A;
