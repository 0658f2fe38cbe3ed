connector Port
  Real v;
  flow Real i;
end Port;
model A
  Port p;
equation
  Connections.branch(p.v + 1, p.v);
end A;
