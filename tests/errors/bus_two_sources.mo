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
  Source a, b;
equation
  connect(a.y, bus.x);
  connect(b.y, bus.x);
end A;
