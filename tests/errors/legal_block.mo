connector Pin
  Real v;
  flow Real i;
end Pin;
block B
  Pin p;
end B;
model A
  B b;
end A;
