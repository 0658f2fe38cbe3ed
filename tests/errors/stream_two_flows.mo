connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
connector Twin
  Real p, q;
  flow Real m, n;
  stream Real h;
end Twin;
model A
  Twin port;
  Real x = inStream(port.h);
equation
  port.p = 0;
  port.q = 0;
  port.h = 0;
end A;
