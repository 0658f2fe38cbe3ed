connector Pin
  constant Integer phases = 1;
  Real v;
  flow Real i;
end Pin;
connector In = input Real;
model Inside
  Pin p;
  Pin three(phases = 3);
  In u;
end Inside;
model Outside
  Inside inside;
end Outside;
model A
  Outside a, b;
  Inside c, d;
  Real r = 1;
equation
  connect(a.inside.p, b.inside.p);
  connect(c.p, d.three);
end A;
