model A
  Real x = 1;
end A;
model A
  Real y = 1;
end A;
