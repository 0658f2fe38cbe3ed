// plot: load.v
// Four ideal diodes and a capacitor make direct current. Every diode is either open or closed; which of the sixteen
// combinations holds is found at every change, together with the voltages.
//
//     rattleback simulate examples/modelica/Rectifier.mo
model Rectifier "Bridge rectifier with smoothing capacitor"
  import Rattleback.Electrical.*;
  Sources.SineVoltage source(V = 12, f = 50);
  Basic.Resistor wire(R = 0.2);
  Ideal.IdealDiode d1, d2, d3, d4;
  Basic.Capacitor C(C = 1e-3, v(start = 0, fixed = true));
  Basic.Resistor load(R = 50);
  Basic.Ground ground;
equation
  connect(source.p, wire.p);
  connect(wire.n, d1.p);
  connect(wire.n, d3.n);
  connect(source.n, d2.p);
  connect(source.n, d4.n);
  connect(d1.n, load.p);
  connect(d2.n, load.p);
  connect(d3.p, load.n);
  connect(d4.p, load.n);
  connect(C.p, load.p);
  connect(C.n, load.n);
  connect(load.n, ground.p);
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-6));
end Rectifier;
