model A
  Real y = sample(time, Clock(sin(time) > 0.5)), z = superSample(y, 2);
end A;
