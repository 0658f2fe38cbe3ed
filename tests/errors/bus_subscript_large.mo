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
  Source s;
equation
  connect(bus.x[20000], s.y);
end A;
