model A "Nothing says what the potentials are"
  import Rattleback.Electrical.Basic.*;
  Resistor r1(R = 10), r2(R = 20);
  Rattleback.Electrical.Sources.ConstantVoltage v(V = 5);
equation
  connect(v.p, r1.p);
  connect(r1.n, r2.p);
  connect(r2.n, v.n);
end A;
