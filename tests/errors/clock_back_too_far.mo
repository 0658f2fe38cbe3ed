model A
  Real y = sample(time, Clock(1, 10)), z = backSample(y, 1);
end A;
