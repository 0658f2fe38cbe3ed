package P
  parameter Real k = 2;
end P;
model A
  Real x = P.k;
end A;
