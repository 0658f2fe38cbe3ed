model A
  parameter Real M[2,2] = [1, 1; 0, 1];
  parameter Integer n = -1;
  Real P[2,2] = M^n;
end A;
