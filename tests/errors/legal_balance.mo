connector Pipe
  Real p, T;
  flow Real m_flow;
end Pipe;
connector Port
  Real p;
  stream Real h;
  flow Real m_flow[2];
end Port;
model A
  Pipe pipe;
  Port port;
end A;
