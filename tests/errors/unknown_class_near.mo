model Inertia
  Real w = 1;
end Inertia;
model A
  Inerta i;
end A;
