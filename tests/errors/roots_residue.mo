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
record Bad
  Real c;
  function equalityConstraint
    input Bad a, b;
    output Real r;
  algorithm
    r := a.c - b.c;
  end equalityConstraint;
end Bad;
connector Q
  Bad R;
  flow Real i;
end Q;
model Fix
  Q q;
equation
  Connections.root(q.R);
  q.R.c = 1;
end Fix;
model A
  Fix f, g;
equation
  connect(f.q, g.q);
end A;
