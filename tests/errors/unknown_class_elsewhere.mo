model unknown_class_elsewhere
  Rattleback.Electrical.Resistor a;
  Capacitor b;
end unknown_class_elsewhere;
