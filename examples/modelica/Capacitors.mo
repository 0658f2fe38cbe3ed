package Capacitors "A capacitor in two forms: equations, and a component in C that owns the voltage"
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;

  partial model TwoPin
    Pin p, n;
  end TwoPin;

  partial model AnyCapacitor "What both forms have"
    extends TwoPin;
    parameter Real C(unit = "F") = 1e-3;
    parameter Real v0(unit = "V") = 0;
  end AnyCapacitor;

  model Capacitor "With equations"
    extends AnyCapacitor;
    Real v(unit = "V", start = v0, fixed = true);
    Real i(unit = "A");
  equation
    v = p.v - n.v;
    i = p.i;
    0 = p.i + n.i;
    C*der(v) = i;
  end Capacitor;

  model ComponentCapacitor "The same in C"
    extends AnyCapacitor;
    annotation(__Rattleback(component = "Capacitor"));
  end ComponentCapacitor;

  model Resistor
    extends TwoPin;
    parameter Real R(unit = "Ohm") = 100;
  equation
    p.v - n.v = R*p.i;
    0 = p.i + n.i;
  end Resistor;

  model Source
    extends TwoPin;
    parameter Real V(unit = "V") = 10;
    parameter Real f(unit = "Hz") = 5;
  equation
    p.v - n.v = V*sin(2*3.141592653589793*f*time);
    0 = p.i + n.i;
  end Source;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Filter "Two stages; the capacitors are exchangeable"
    replaceable model C = Capacitor constrainedby AnyCapacitor;
    Source source;
    Resistor r1, r2(R = 220);
    C c1, c2(C = 0.5e-3, v0 = 1);
    Ground ground;
  equation
    connect(source.p, r1.p);
    connect(r1.n, c1.p);
    connect(c1.p, r2.p);
    connect(r2.n, c2.p);
    connect(c1.n, ground.p);
    connect(c2.n, ground.p);
    connect(source.n, ground.p);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Filter;

  model ComponentFilter
    extends Filter(redeclare model C = ComponentCapacitor);
  end ComponentFilter;

  model Parallel "Equations: one state of the two is chosen, index reduction does the rest"
    replaceable model C = Capacitor constrainedby AnyCapacitor;
    Source source;
    Resistor r;
    C c1, c2;
    Ground ground;
  equation
    connect(source.p, r.p);
    connect(r.n, c1.p);
    connect(r.n, c2.p);
    connect(c1.n, ground.p);
    connect(c2.n, ground.p);
    connect(source.n, ground.p);
  end Parallel;

  model ComponentParallel "Cannot be: both components own the voltage"
    extends Parallel(redeclare model C = ComponentCapacitor);
  end ComponentParallel;

  model AtSource "Cannot be: the source determines the voltage"
    Source source;
    ComponentCapacitor c;
    Ground ground;
  equation
    connect(source.p, c.p);
    connect(c.n, ground.p);
    connect(source.n, ground.p);
  end AtSource;
end Capacitors;
