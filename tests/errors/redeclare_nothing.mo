model B
  Real x = 1;
end B;
model A
  extends B;
  redeclare Real y = 2;
end A;
