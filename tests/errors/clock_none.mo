model A
  Real y = sample(time);
end A;
