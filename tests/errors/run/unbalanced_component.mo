connector Pin
  Real v;
  flow Real i;
end Pin;
model Resistor
  Pin p;
  Pin n;
  parameter Real R = 1;
equation
  p.v - n.v = R * p.i;
end Resistor;
model A
  Resistor r;
end A;
