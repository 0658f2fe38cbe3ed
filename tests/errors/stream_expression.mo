connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
model A
  Port port;
  Real x = actualStream(2*port.h);
equation
  port.p = 0;
  port.h = 0;
end A;
