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
equation
  Connections.roots(q.R);
end A;
