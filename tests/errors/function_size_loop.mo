function f
  input Integer n;
  output Real r[sum(1 for i in 1:n), 3];
algorithm
  r := ones(n, 3);
end f;

model B
  parameter Real r[3] = {1, 2, 3};
end B;

model M
  B b[3](r = f(3));
end M;
