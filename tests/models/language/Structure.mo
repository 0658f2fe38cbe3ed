package Structure "Connections, conditional components, inner and outer, redeclarations"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector Plug
    parameter Integer m = 3;
    Pin pin[m];
  end Plug;
  partial model TwoPin
    Pin p, n;
    Real v, i;
  equation
    v = p.v - n.v;
    0 = p.i + n.i;
    i = p.i;
  end TwoPin;
  package Parts
    model Resistor
      extends TwoPin;
      parameter Real R = 1;
    equation
      v = R*i;
    end Resistor;
    model Capacitor
      extends TwoPin(v(start = 0, fixed = true));
      parameter Real C = 1;
    equation
      C*der(v) = i;
    end Capacitor;
    model Source
      extends TwoPin;
      parameter Real V = 1;
    equation
      v = V;
    end Source;
    model Ground
      Pin p;
    equation
      p.v = 0;
    end Ground;
    model Phases
      parameter Integer m = 3;
      Plug a(m = m), b(m = m);
      replaceable Resistor e[m] constrainedby TwoPin;
    equation
      connect(a.pin, e.p);
      connect(b.pin, e.n);
    end Phases;
    model Star
      parameter Integer m = 3;
      Plug plug(m = m);
      Pin n;
    equation
      for k in 1:m loop
        connect(plug.pin[k], n);
      end for;
    end Star;
  end Parts;

  model Hierarchical "Connectors in connectors, arrays of them, and both at once"
    import Structure.Parts.*;
    Source s[3](V = {1, 2, 4});
    Phases r(redeclare Resistor e(R = {1, 2, 4}));
    Star star1, star2;
    Ground g;
    Plug plug;
  equation
    connect(s.p, plug.pin);
    connect(plug, r.a);
    connect(r.b, star1.plug);
    connect(star2.plug.pin, s.n);
    connect(star1.n, star2.n);
    connect(star2.n, g.p);
    when terminal() then
      assert(abs(r.e[1].i - 1) < 1e-12 and abs(r.e[2].i - 1) < 1e-12 and abs(r.e[3].i - 1) < 1e-12, "currents");
    end when;
  end Hierarchical;

  model Chain "Slices of component arrays are connected; what does not exist is not"
    import Structure.Parts.{Resistor, Capacitor, Source, Ground};
    parameter Integer n = 5;
    parameter Boolean loaded = false;
    Resistor r[n](R = {k for k in 1:n}), load(R = 1) if loaded;
    Capacitor c;
    Source s(V = 10);
    Ground g;
    parameter Real k = if loaded then 16/15 else 1/15 "1/(R C) [1/s]";
    parameter Real last = if loaded then 10/16 else 10;
  equation
    connect(s.p, r[1].p);
    connect(r[1:n - 1].n, r[2:n].p);
    connect(r[n].n, c.p);
    connect(c.n, g.p);
    connect(s.n, g.p);
    connect(load.p, c.p);
    connect(load.n, c.n);
    when terminal() then
      assert(abs(c.v - last*(1 - exp(-k*time))) < 1e-5, "c.v = " + String(c.v));
    end when;
  end Chain;

  model LoadedChain
    extends Chain(loaded = true);
  end LoadedChain;

  model Outer
    model Environment
      parameter Real T = 300;
    end Environment;
    model Part
      outer Environment env;
      Real T = env.T;
    end Part;
    model Group
      Part a;
      inner Environment env(T = 400);
      Part b;
    end Group;
    inner Environment env(T = 350);
    Part p;
    Group g;
  equation
    assert(p.T == 350 and g.a.T == 400 and g.b.T == 400, "the nearest one counts");
  end Outer;

  model Redeclarations
    partial model Base
      Real y;
    end Base;
    model One
      extends Base;
    equation
      y = 1;
    end One;
    model Two
      extends Base;
      parameter Real k = 1;
    equation
      y = 2*k;
    end Two;
    partial function Interface
      input Real u;
      output Real y;
    end Interface;
    function same
      extends Interface;
    algorithm
      y := u;
    end same;
    function square
      extends Interface;
    algorithm
      y := u^2;
    end square;
    model Host
      replaceable model M = One constrainedby Base;
      replaceable One c constrainedby Base;
      replaceable function f = same constrainedby Interface;
      M m;
      Real fy = f(3);
    end Host;
    model Inherited
      extends Host(redeclare replaceable model M = Two);
    end Inherited;
    model Extended
      extends Host;
      redeclare model extends M
        Real z = 5;
      end M;
    end Extended;
    Host plain, changed(redeclare model M = Two(k = 3), redeclare Two c(k = 5), redeclare function f = square);
    Inherited inherited, again(redeclare model M = One);
    Extended extended;
    Host row[2](redeclare each Two c(k = 4));
  equation
    assert(plain.m.y == 1 and plain.c.y == 1 and plain.fy == 3, "plain");
    assert(changed.m.y == 6 and changed.c.y == 10 and changed.fy == 9, "changed");
    assert(inherited.m.y == 2 and again.m.y == 1 and extended.m.z == 5 and extended.m.y == 1 and row[2].c.y == 8, "others");
  end Redeclarations;

  model Outers "an outer variable is the inner one: also of an array, and in models of an array"
    model Cell
      outer Real s;
      outer Real v[2];
      Real y = s + v[2];
    end Cell;
    model Row
      Cell cell[2];
      inner Real v[2] = {0, 10};
    end Row;
    inner Real s = 1 + time;
    inner Real v[2] = {2, 3};
    Cell one, cells[2, 2];
    Row row;
  equation
    assert(one.y == 4 + time and cells[2, 1].y == 4 + time and row.cell[2].y == 11 + time, "outer");
  end Outers;
end Structure;
