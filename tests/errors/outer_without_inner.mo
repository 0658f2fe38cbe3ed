model B
  outer Real g;
  Real x = g;
end B;
model A
  B b;
end A;
