package Connectors "Overdetermined, expandable and stream connectors"
  package Planar "Frames in a plane; the orientation is overdetermined: two numbers for one angle"
    record Rotation "Unit vector along the x axis of the frame"
      Real c(start = 1);
      Real s(start = 0);
      function equalityConstraint
        input Rotation R1;
        input Rotation R2;
        output Real residue[1] "Sine of the angle between them";
      algorithm
        residue := {R1.c*R2.s - R1.s*R2.c};
        annotation(Inline = true);
      end equalityConstraint;
    end Rotation;

    connector Frame
      Real x(unit = "m");
      Real y(unit = "m");
      Rotation R;
      flow Real fx(unit = "N");
      flow Real fy(unit = "N");
      flow Real t(unit = "N.m");
    end Frame;

    model Ground
      package Connections "hides what the language means"
      end Connections;
      parameter Real x(unit = "m") = 0;
      Frame f;
    equation
      .Connections.root(f.R);
      f.x = x;
      f.y = 0;
      f.R.c = 1;
      f.R.s = 0;
    end Ground;

    model Bar "Along its own x axis, without mass"
      parameter Real L(unit = "m") = 1;
      Frame a, b;
    equation
      Connections.branch(a.R, b.R);
      b.R = a.R;
      b.x = a.x + L*a.R.c;
      b.y = a.y + L*a.R.s;
      a.fx + b.fx = 0;
      a.fy + b.fy = 0;
      a.t + b.t + (b.x - a.x)*b.fy - (b.y - a.y)*b.fx = 0;
    end Bar;

    model Hinge
      Frame a, b;
      Real phi(unit = "rad", stateSelect = StateSelect.prefer);
      Real w(unit = "rad/s", stateSelect = StateSelect.prefer);
    equation
      Connections.branch(a.R, b.R);
      w = der(phi);
      b.x = a.x;
      b.y = a.y;
      if Connections.rooted(a.R) then
        b.R.c = a.R.c*cos(phi) - a.R.s*sin(phi);
        b.R.s = a.R.s*cos(phi) + a.R.c*sin(phi);
      else
        a.R.c = b.R.c*cos(phi) + b.R.s*sin(phi);
        a.R.s = b.R.s*cos(phi) - b.R.c*sin(phi);
      end if;
      a.fx + b.fx = 0;
      a.fy + b.fy = 0;
      a.t + b.t = 0;
      b.t = 0;
    end Hinge;

    model Mass
      parameter Real m(unit = "kg") = 1;
      parameter Real J(unit = "kg.m2") = 0.1;
      parameter Real g(unit = "m/s2") = 9.81;
      parameter Integer priority = 0;
      parameter Real phi_start(unit = "rad") = 0;
      Frame a;
      Real phi(unit = "rad");
      Real vx(unit = "m/s"), vy(unit = "m/s"), w(unit = "rad/s");
    initial equation
      if Connections.isRoot(a.R) then
        phi = phi_start;
      end if;
    equation
      Connections.potentialRoot(a.R, priority = priority);
      vx = der(a.x);
      vy = der(a.y);
      m*der(vx) = a.fx;
      m*der(vy) = a.fy - m*g;
      if Connections.isRoot(a.R) then
        a.R.c = cos(phi);
        a.R.s = sin(phi);
      else
        phi = atan2(a.R.s, a.R.c);
      end if;
      w = a.R.c*der(a.R.s) - a.R.s*der(a.R.c);
      J*der(w) = a.t;
    end Mass;
  end Planar;

  model FourBar "A parallelogram: its coupler moves like a point mass on a rod of 1 m"
    import Connectors.Planar.*;
    Ground left, right(x = 2);
    Hinge h1(phi(start = 0.3, fixed = true), w(start = 0, fixed = true)), h2(phi(start = -0.3)), h3(phi(start = 3.44)), h4(phi(start = -3.44));
    Bar b1, b2, coupler(L = 2);
    Mass mass;
    Real q(start = 0.3, fixed = true), v(start = 0, fixed = true) "The point mass";
  equation
    connect(left.f, h1.a);
    connect(h1.b, b1.a);
    connect(b1.b, h2.a);
    connect(h2.b, coupler.a);
    connect(coupler.b, h3.a);
    connect(h3.b, b2.a);
    connect(b2.b, h4.a);
    connect(h4.b, right.f);
    connect(mass.a, coupler.a);
    der(q) = v;
    der(v) = -9.81*cos(q);
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end FourBar;

  model Dumbbell "Falls freely; its masses are 2 m apart, the second one is root"
    import Connectors.Planar.*;
    Mass m1(m = 1, J = 0, priority = 3);
    Mass m2(m = 3, J = 0, priority = 2, phi_start = 0.5, w(start = 2, fixed = true), vx(start = 0, fixed = true), vy(start = 0, fixed = true), a(x(start = 0, fixed = true), y(start = 0, fixed = true)));
    Bar bar(L = 2);
  equation
    connect(m1.a, bar.a);
    connect(bar.b, m2.a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end Dumbbell;

  package Space "Frames in space, as a matrix and the angular velocity; derivatives of vectors come from the latter"
    record Orientation
      Real T[3, 3];
      Real w[3](each unit = "rad/s");
    end Orientation;

    function turn "About the z axis"
      input Real phi, w;
      output Orientation R;
    algorithm
      R := Orientation(T = [cos(phi), sin(phi), 0; -sin(phi), cos(phi), 0; 0, 0, 1], w = {0, 0, w});
      annotation(Inline = true);
    end turn;

    function toWorld
      input Orientation R;
      input Real v[3];
      output Real u[3];
    algorithm
      u := transpose(R.T)*v;
      annotation(derivative(noDerivative = R) = toWorld_der, InlineAfterIndexReduction = true);
    end toWorld;

    function toWorld_der
      input Orientation R;
      input Real v[3], v_der[3];
      output Real u_der[3];
    algorithm
      u_der := toWorld(R, v_der + cross(R.w, v));
      annotation(Inline = true);
    end toWorld_der;

    function swing "About the y axis"
      input Real phi, w;
      output Orientation R;
    algorithm
      R := Orientation(T = [cos(phi), 0, -sin(phi); 0, 1, 0; sin(phi), 0, cos(phi)], w = {0, w, 0});
      annotation(Inline = true);
    end swing;

    function after "A frame that is turned against another one"
      input Orientation R, R_rel;
      output Orientation R_b;
    algorithm
      R_b := Orientation(T = R_rel.T*R.T, w = R_rel.T*R.w + R_rel.w);
      annotation(Inline = true);
    end after;
  end Space;

  model SliderCrank "A crank of 1 m, a rod of 3 m without mass and a slider on the x axis"
    parameter Real J(unit = "kg.m2") = 2;
    parameter Real m(unit = "kg") = 1.5;
    Real phi1(start = 0.5, fixed = true, stateSelect = StateSelect.prefer), w1(start = 2, fixed = true, stateSelect = StateSelect.prefer);
    Real phi2(start = -0.66, stateSelect = StateSelect.prefer), w2(stateSelect = StateSelect.prefer);
    Real s(start = 3.8, stateSelect = StateSelect.prefer), v(stateSelect = StateSelect.prefer);
    Space.Orientation R1 = Space.turn(phi1, w1), R_rel = Space.turn(phi2, w2), R2 = Space.after(R1, R_rel);
    Real r1[3] = Space.toWorld(R1, {1, 0, 0}), r2[3] = r1 + Space.toWorld(R2, {3, 0, 0});
    Real f[2] "On the crank";
  equation
    w1 = der(phi1);
    w2 = der(phi2);
    v = der(s);
    r2[1] = s;
    r2[2] = 0;
    J*der(w1) = r1[1]*f[2] - r1[2]*f[1];
    m*der(v) = -f[1];
    (r2[1] - r1[1])*f[2] - (r2[2] - r1[2])*f[1] = 0;
    annotation(experiment(StopTime = 8, Tolerance = 1e-10));
  end SliderCrank;

  model Axle "A body that may only turn about x, by constraints on its orientation; it is driven by 1.2 N.m"
    Real a[3](start = {-1.5707963, 0.5, 1.5707963}, each stateSelect = StateSelect.never) "About z, y, z";
    Real a_der[3](each stateSelect = StateSelect.never);
    Space.Orientation R;
    Real w[3] = R.w, t[3] "In the axes of the body";
    Real r[3], v[3], f[3] "Of a mass of 1 kg that it carries";
  initial equation
    R.T[2, 2] = cos(0.5);
    w[1] = 0.4;
  equation
    a_der = der(a);
    R = Space.after(Space.after(Space.turn(a[1], a_der[1]), Space.swing(a[2], a_der[2])), Space.turn(a[3], a_der[3]));
    R.T[2, :]*{1, 0, 0} = 0;
    R.T[3, :]*{1, 0, 0} = 0;
    r = Space.toWorld(R, {0, 1, 0});
    v = der(r);
    f = der(v);
    {2*der(w[1]), 3*der(w[2]) - w[1]*w[3], 3*der(w[3]) + w[1]*w[2]} = t - R.T*cross(r, f);
    t[1] = 1.2;
    annotation(experiment(StopTime = 2, Tolerance = 1e-9));
  end Axle;

  model Straight "A mass without forces, in the coordinates of two hinges and a slider: what is along x does not turn with R.w[1]"
    Real phi(start = 0.4, fixed = true, stateSelect = StateSelect.prefer), w(start = 1, fixed = true, stateSelect = StateSelect.prefer);
    Real psi(start = 0.7, fixed = true, stateSelect = StateSelect.prefer), u(start = -0.5, fixed = true, stateSelect = StateSelect.prefer);
    Real s(start = 1.5, fixed = true, stateSelect = StateSelect.prefer), v(start = 0.3, fixed = true, stateSelect = StateSelect.prefer);
    Space.Orientation R1, R_rel, R;
    Real r[3], r_der[3], a[3], f[3];
  equation
    w = der(phi);
    u = der(psi);
    v = der(s);
    R1 = Space.turn(phi, w);
    R_rel = Space.swing(psi, u);
    R = Space.after(R1, R_rel);
    r = Space.toWorld(R, {s, 0, 0});
    r_der = der(r);
    a = der(r_der);
    3*a = f;
    R.T[1, :]*f = 0;
    {0, 0, 1}*cross(r, f) = 0;
    R1.T[2, :]*cross(r, f) = 0;
    annotation(experiment(StopTime = 2, Tolerance = 1e-9));
  end Straight;

  model Orbit "A point that is 2 m from the axis of a table; r'' asks for derivatives of the orientation"
    Space.Orientation R;
    Real phi = time^2, w = der(phi);
    Real r[3], v[3], a[3];
  equation
    R = Space.turn(phi, w);
    r = Space.toWorld(R, {2, 0, 0});
    v = der(r);
    a = der(v);
    annotation(experiment(StopTime = 2, Tolerance = 1e-9));
  end Orbit;

  package Flow "Something that flows and carries heat"
    connector Port
      Real p(unit = "Pa");
      flow Real m(unit = "kg/s");
      stream Real h(unit = "J/kg");
    end Port;

    model Source "Delivers a given flow"
      input Real m(unit = "kg/s") "Out of the source";
      parameter Real h(unit = "J/kg") = 0;
      Port port;
      Real h_in(unit = "J/kg") = inStream(port.h);
      Real H(unit = "W") = port.m*actualStream(port.h) "Into the source";
    equation
      port.m = -m;
      port.h = h;
    end Source;

    model Boundary "At a given pressure"
      parameter Real p(unit = "Pa") = 0;
      parameter Real h(unit = "J/kg") = 0;
      Port port;
      Real h_in(unit = "J/kg") = inStream(port.h);
      Real H(unit = "W") = port.m*actualStream(port.h) "Into the boundary";
      Real h_now(unit = "J/kg") = actualStream(port.h);
    equation
      port.p = p;
      port.h = h;
    end Boundary;

    model Pipe
      parameter Real R(unit = "Pa.s/kg") = 1;
      Port a, b;
    equation
      a.m + b.m = 0;
      a.p - b.p = R*a.m;
      a.h = inStream(b.h);
      b.h = inStream(a.h);
    end Pipe;

    model Branches "Two pipes behind one port, to 1 Pa and 3 Pa"
      Port port;
      Pipe pipe1, pipe2;
      Boundary low(p = 1, h = 10), high(p = 3, h = 30);
    equation
      connect(port, pipe1.a);
      connect(port, pipe2.a);
      connect(pipe1.b, low.port);
      connect(pipe2.b, high.port);
    end Branches;

    model Volume "Mixed well"
      parameter Integer n = 2;
      parameter Real M(unit = "kg") = 1;
      parameter Real h_start(unit = "J/kg");
      Port ports[n];
      Real h(start = h_start, fixed = true, unit = "J/kg");
    equation
      sum(ports.m) = 0;
      for i in 2:n loop
        ports[i].p = ports[1].p;
      end for;
      ports.h = fill(h, n);
      M*der(h) = sum(ports[i].m*actualStream(ports[i].h) for i in 1:n);
    end Volume;
  end Flow;

  model Junction "Two given flows and what is left: the second one turns around"
    Flow.Source s1(m = 1, h = 100), s2(m = 2*sin(time), h = 200);
    Flow.Boundary b(h = 300);
    Flow.Pipe pipe;
  equation
    connect(s1.port, pipe.a);
    connect(s2.port, pipe.a);
    connect(pipe.b, b.port);
    annotation(experiment(StopTime = 7, Tolerance = 1e-8));
  end Junction;

  model Still "Nothing flows"
    Flow.Source s1(m = 0, h = 100), s2(m = 0, h = 200), s3(m = 0, h = 600);
    Flow.Boundary b;
    Flow.Pipe pipe;
  equation
    connect(s1.port, pipe.a);
    connect(s2.port, pipe.a);
    connect(s3.port, pipe.a);
    connect(pipe.b, b.port);
  end Still;

  model Level "A port of a model with two pipes behind it"
    Flow.Branches br;
    Flow.Source s(m = 5*cos(time), h = 50);
  equation
    connect(br.port, s.port);
    annotation(experiment(StopTime = 6, Tolerance = 1e-8));
  end Level;

  model Flushed "A well mixed volume between a flow that turns around and a boundary"
    Flow.Source s(m = cos(time), h = 1);
    Flow.Volume v(h_start = 0);
    Flow.Boundary b(h = 3);
  equation
    connect(s.port, v.ports[1]);
    connect(v.ports[2], b.port);
    annotation(experiment(StopTime = 3, Tolerance = 1e-9));
  end Flushed;
end Connectors;
