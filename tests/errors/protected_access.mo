model B
protected
  Real x = 1;
end B;
model A
  B b;
  Real y = b.x;
end A;
