model M "65536 * 65536 elements are 0 in 32 bits"
  Real x[65536, 65536];
equation
  x = fill(time, 65536, 65536);
end M;
