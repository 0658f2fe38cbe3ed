partial model B
  Real x;
end B;
model A
  replaceable B b;
end A;
