model A
  Real x = time;
equation
  Connections.root(x);
end A;
