model B
  Real x = 1;
end B;
model A
  B b;
  Integer n = size(b, 1);
end A;
