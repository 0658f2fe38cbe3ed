connector Pin
  Real v;
  flow Real i;
  inner Real x = 1;
algorithm
  v := 1;
end Pin;
model A
  Pin p;
end A;
