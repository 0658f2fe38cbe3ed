connector In = input Real;
block Gain
  In u;
  output Real y = 2 * u;
end Gain;
model A
  Gain g;
end A;
