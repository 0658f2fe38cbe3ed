record R
  Real a, b;
end R;
model B
  final parameter Real p(fixed = false, start = 1);
  final parameter Real q[2](each fixed = false);
  final parameter R r;
  final parameter Real free(fixed = false) "nobody modifies it";
  Real x = p*q[1]*q[2]*free*time;
initial equation
  p = 2;
  q = {1, 2};
  free = 3;
end B;
model C
  extends B(q = {3, 4});
end C;
model A
  C c(
    p = 3,
    r = R(1, 2));
end A;
