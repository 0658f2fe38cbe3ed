model B
  Real x = 1;
end B;
model A
  B b if 1;
end A;
