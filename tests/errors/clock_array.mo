model A
  Clock c[2] = {Clock(1, 10), Clock(1, 5)};
  Real y = sample(time, c[1]);
end A;
