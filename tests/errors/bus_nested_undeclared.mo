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
  Bus a;
  Source s;
equation
  connect(a.sub.x, s.y);
end A;
