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
expandable connector Electric
  flow Real i;
end Electric;
model A
  Electric bus;
end A;
