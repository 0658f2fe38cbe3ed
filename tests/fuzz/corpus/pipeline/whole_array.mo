model L
  parameter Real A[:, size(A, 1)] = [-1, 0; 0, -2];
  parameter Real x0[size(A, 1)] = {1, 2};
  Real x[size(A, 1)](start = x0, each fixed = true);
equation
  der(x) = A*x;
end L;
