connector Port
  Real v;
  flow Real i;
  outer Real T;
end Port;
model Ground
  Port p;
equation
  p.v = p.T;
end Ground;
model A
  inner Real T = 1;
  Ground a, b;
equation
  connect(a.p, b.p);
end A;
