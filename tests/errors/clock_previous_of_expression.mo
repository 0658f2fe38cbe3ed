model A
  Real y = sample(time, Clock(1, 10)), z = previous(2*y);
end A;
