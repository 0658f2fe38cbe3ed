model NotSquare
  parameter Real A[:, size(A, 1)] = [1, 2, 3; 4, 5, 6];
  Real x = A[1, 1];
end NotSquare;
