connector RealInput = input Real;
connector RealOutput = output Real;
expandable connector Bus
end Bus;
block Source
  RealOutput y = time;
end Source;
block Sink
  RealInput u;
  Real z = 2*u;
end Sink;
model Reader
  Bus bus;
  Sink sink;
equation
  connect(sink.u, bus.x);
end Reader;
model A
  Bus bus;
  Reader r;
equation
  connect(bus, r.bus);
end A;
