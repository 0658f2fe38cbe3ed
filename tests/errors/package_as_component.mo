package P
end P;
model A
  P p;
  Real x = 1;
end A;
