connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
model A
  Port port;
  Real x = inStream(port.p);
equation
  port.p = 0;
  port.h = 0;
end A;
