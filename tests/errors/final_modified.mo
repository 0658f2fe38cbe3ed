model B
  final parameter Real k = 1;
end B;
model A
  B b(k = 2);
  Real x = b.k;
end A;
