model A
  Real y = sample(time, Clock(1, 10)), z;
equation
  z = subSample(y, 2);
  z = previous(z) + y;
end A;
