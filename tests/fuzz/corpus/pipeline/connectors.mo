package Ring "Alternating current: every plug knows the phase of the network"
  record Phase "A unit vector"
    Real c, s;
    function equalityConstraint
      input Phase a, b;
      output Real residue[0] "Around a loop nothing is left to be said";
    algorithm
      assert(abs(a.c*b.s - a.s*b.c) < 1e-6, "the phases differ");
    end equalityConstraint;
  end Phase;
  connector Plug
    Phase phase;
    Real v;
    flow Real i;
  end Plug;
  model Source
    Plug p(v = 12, phase(c = cos(2*time), s = sin(2*time)));
  equation
    Connections.root(p.phase);
  end Source;
  model Line
    parameter Real R = 1;
    Plug p, n;
  equation
    Connections.branch(p.phase, n.phase);
    n.phase = p.phase;
    p.i + n.i = 0;
    p.v - n.v = R*p.i;
  end Line;
  model Load
    parameter Real R = 1;
    Plug p;
    Real w = p.phase.c*der(p.phase.s) - p.phase.s*der(p.phase.c) "Angular frequency";
  equation
    p.v = R*p.i;
  end Load;
  model Network "Two ways to the load"
    Source source;
    Line a, b;
    Load load(R = 0.5);
  equation
    connect(source.p, a.p);
    connect(source.p, b.p);
    connect(a.n, load.p);
    connect(b.n, load.p);
  end Network;
end Ring;
package Mixing
  connector Port
    Real p;
    flow Real m(unit = "kg/s");
    stream Real h(unit = "J/kg");
  end Port;
  model Source
    input Real m;
    parameter Real h(unit = "J/kg") = 0;
    Port port;
  equation
    port.m = -m;
    port.h = h;
  end Source;
  model Drain
    Port port;
    Real h(unit = "J/kg") = inStream(port.h);
  equation
    port.p = 0;
    port.h = 0;
  end Drain;
  model Mixer "At the end (1*100 + 3*200)/4"
    Source cold(m = 1, h = 100), warm(m = 3*time, h = 200);
    Drain drain;
  equation
    connect(cold.port, drain.port);
    connect(warm.port, drain.port);
  end Mixer;
end Mixing;
expandable connector Bus
end Bus;
connector In = input Real;
connector Out = output Real;
model Giver
  Bus bus;
  Ring.Network network;
  Out y[2] = {network.load.w, time};
equation
  connect(y, bus.y);
  connect(y[1], bus.sub.z[2]);
protected
  Bus sub;
equation
  connect(bus.sub, sub);
end Giver;
model Taker
  Bus bus;
  In u;
  Mixing.Mixer mixer(warm.m = 2*u);
equation
  connect(bus.sub.z[2], u);
end Taker;
model All
  Giver giver;
  Taker taker;
equation
  connect(giver.bus, taker.bus);
end All;
