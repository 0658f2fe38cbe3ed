model B
  parameter Real k = 1;
end B;
model C
  B b(final k = 2);
end C;
model A
  C c(b(k = 3));
end A;
