model B
  parameter Real k = 1;
end B;
model A
  B b[3](k = 2);
end A;
