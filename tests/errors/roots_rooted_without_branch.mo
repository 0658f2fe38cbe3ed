record Angle
  Real c, s;
  function equalityConstraint
    input Angle a, b;
    output Real r[1];
  algorithm
    r := {a.c*b.s - a.s*b.c};
  end equalityConstraint;
end Angle;
connector Port
  Angle R;
  Real v;
  flow Real i;
end Port;
model Line
  Port p, n;
equation
  Connections.branch(p.R, n.R);
  p.R = n.R;
  p.i + n.i = 0;
  p.v - n.v = p.i;
end Line;
model A
  Port q;
  Boolean closer = Connections.rooted(q.R);
equation
  Connections.root(q.R);
  q.R.c = 1;
  q.R.s = 0;
  q.v = 0;
end A;
