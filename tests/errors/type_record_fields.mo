record R
  Real a;
  Real b;
end R;
record S
  Real a;
end S;
model A
  S s = S(1);
  R r = s;
end A;
