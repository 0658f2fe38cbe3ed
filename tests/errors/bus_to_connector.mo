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
connector Pin
  Real v;
  flow Real i;
end Pin;
model A
  Bus bus;
  Pin p;
equation
  connect(bus, p);
end A;
