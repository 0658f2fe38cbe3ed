model B
  Real x = 1;
end B;
model A
  parameter Boolean use;
  B b if use;
end A;
