package P
  constant Real k;
end P;
model A
  Real x = P.k;
end A;
