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
expandable connector Known
  Real speed;
end Known;
model A
  Known bus;
  Real y = bus.speed;
end A;
