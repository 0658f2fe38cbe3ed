model NoDifference
  connector Pin
    Real v;
    flow Real i;
  end Pin;

  model Resistor
    Pin p, n;
  equation
    p.i + n.i = 0;
    p.v - n.v = 2*p.i;
  end Resistor;

  model Ratio "Not the potentials float here: the current is not determined"
    Pin p, n;
  equation
    p.i + n.i = 0;
    -3*p.v + n.v = 2;
  end Ratio;

  Resistor a;
  Ratio b;
equation
  connect(a.p, b.p);
  connect(a.n, b.n);
end NoDifference;
