model A
  Real lag = 1 + time, x = sin(time);
  Real y = delay(x, lag);
  Real z = delay(x, lag, lag);
  discrete Real d = 1;
  Real a = der(d);
  Boolean tick = sample(time, 0.1);
  Integer n = cardinality(x);
end A;
