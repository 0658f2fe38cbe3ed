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
connector BooleanOutput = output Boolean;
block Switch
  BooleanOutput y = time > 1;
end Switch;
model A
  Bus bus;
  Switch s;
  Sink sink;
equation
  connect(bus.x, s.y);
  connect(bus.x, sink.u);
end A;
