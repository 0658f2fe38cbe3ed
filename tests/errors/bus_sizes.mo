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
model A
  Bus bus;
  Source s[3];
equation
  connect(bus.x[1:2], s.y);
end A;
