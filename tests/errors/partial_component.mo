partial model B
  Real x;
end B;
model A
  B b;
end A;
