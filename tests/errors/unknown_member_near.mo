model B
  Real speed = 1;
end B;
model A
  B b;
  Real y = b.sped;
end A;
