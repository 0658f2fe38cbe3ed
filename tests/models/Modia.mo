package Modia "The cases of Modia's own tests, in Modelica; what must come out is in tests/unit/translate/test_modia_cases.c"

  model FirstOrder
    function input_signal
      input Real t;
      output Real u;
    algorithm
      u := sin(t);
    end input_signal;
    parameter Real T(unit = "s") = 0.2;
    Real u = input_signal(time);
    Real x(start = 0.3, fixed = true);
    Real y = 2*x;
  equation
    T*der(x) + x = u;
    annotation(experiment(StopTime = 10));
  end FirstOrder;

  model StateSpaceSystem
    parameter Real A[:, size(A, 1)];
    parameter Real B[size(A, 1), :];
    parameter Real x0[size(A, 1)] = zeros(size(A, 1));
    input Real u[size(B, 2)];
    Real x[size(A, 1)](start = x0, each fixed = true);
  equation
    der(x) = A*x + B*u;
  end StateSpaceSystem;

  model StateSpace "Second order system as matrices"
    parameter Real w = 20;
    parameter Real D = 0.3;
    StateSpaceSystem sys(A = [0, 1; -w^2, -2*D*w], B = [0; w^2], u = {1});
    annotation(experiment(StopTime = 1));
  end StateSpace;

  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;

  partial model OnePort
    Pin p;
    Pin n;
    Real v(unit = "V");
    Real i(unit = "A");
  equation
    v = p.v - n.v;
    0 = p.i + n.i;
    i = p.i;
  end OnePort;

  model Resistor
    extends OnePort;
    parameter Real R(unit = "Ohm") = 1;
  equation
    R*i = v;
  end Resistor;

  model Capacitor
    extends OnePort;
    parameter Real C(unit = "F") = 1;
  equation
    C*der(v) = i;
  end Capacitor;

  model Inductor
    extends OnePort;
    parameter Real L(unit = "H") = 1;
  equation
    L*der(i) = v;
  end Inductor;

  model ConstantVoltage
    extends OnePort;
    parameter Real V(unit = "V") = 1;
  equation
    v = V;
  end ConstantVoltage;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model FilterCircuit
    Resistor R(R = 5);
    Capacitor C(C = 2, v(start = 3, fixed = true));
    ConstantVoltage V(V = 10);
    Ground ground;
  equation
    connect(V.p, R.p);
    connect(R.n, C.p);
    connect(C.n, V.n);
    connect(V.n, ground.p);
    annotation(experiment(StopTime = 10));
  end FilterCircuit;

  model SimpleStateEvents
    parameter Real fmax = 1.5;
    parameter Real m = 1;
    parameter Real k = 1;
    parameter Real d = 0.1;
    Real s(start = 2, fixed = true);
    Real v(start = 0, fixed = true);
    Real f = if s > 0 then 0 else fmax;
  equation
    v = der(s);
    m*der(v) + d*v + k*s = f;
    annotation(experiment(StopTime = 10));
  end SimpleStateEvents;

  model TwoInertiasAndIdealGear "phi2 and w2 are states, phi1 and w1 follow"
    parameter Real J1 = 0.0025;
    parameter Real J2 = 170;
    parameter Real r = 105;
    Real phi1, w1, tau1, tau2;
    Real phi2(start = 0.5, fixed = true, stateSelect = StateSelect.prefer);
    Real w2(start = 0, fixed = true, stateSelect = StateSelect.prefer);
    Real tau = if time < 1 then 1 elseif time < 2 then 0 elseif time < 3 then -1 else 0;
  equation
    phi1 = r*phi2;
    w1 = der(phi1);
    J1*der(w1) = tau - tau1;
    r*tau1 = tau2;
    w2 = der(phi2);
    J2*der(w2) = tau2;
    annotation(experiment(StopTime = 4));
  end TwoInertiasAndIdealGear;

  model Arrays
    parameter Real x0[:] = {1, 2};
    parameter Real A[size(x0, 1), size(x0, 1)] = [-1, 0; 0, -2];
    Real x[size(x0, 1)](start = x0, each fixed = true);
  equation
    der(x) = A*x;
    annotation(experiment(StopTime = 2));
  end Arrays;

  model Synchronous "A mass under a sampled proportional speed controller"
    parameter Real m = 1;
    parameter Real d = 0.1;
    parameter Real k = 0;
    Real x(start = 0, fixed = true);
    Real v(start = 5, fixed = true);
    discrete Real vd;
    discrete Real f;
  equation
    v = der(x);
    m*der(v) + d*v + k*x = f;
    when sample(0, 0.1) then
      vd = pre(v);
      f = 5*(100 - vd);
    end when;
    annotation(experiment(StopTime = 1.5));
  end Synchronous;

  connector HeatPort
    Real T(unit = "K");
    flow Real Q_flow(unit = "W");
  end HeatPort;

  model SimpleRod
    model FixedTemperature
      parameter Real T(unit = "K");
      HeatPort port(T = T);
    end FixedTemperature;
    model Conductor
      parameter Real G(unit = "W/K");
      HeatPort port_a;
      HeatPort port_b;
    equation
      port_a.Q_flow = G*(port_a.T - port_b.T);
      0 = port_a.Q_flow + port_b.Q_flow;
    end Conductor;
    model HeatCapacitor
      parameter Real C(unit = "J/K");
      HeatPort port;
      Real T(unit = "K");
    equation
      T = port.T;
      C*der(T) = port.Q_flow;
    end HeatCapacitor;
    FixedTemperature fixed(T = 393.15);
    Conductor G(G = 100);
    HeatCapacitor C(C = 200, T(start = 293.15, fixed = true));
  equation
    connect(fixed.port, G.port_a);
    connect(G.port_b, C.port);
    annotation(experiment(StopTime = 15));
  end SimpleRod;

  model LinearSystems
    StateSpaceSystem ss(A = [-5], B = [5], x0 = {0.2}, u = {2});
    annotation(experiment(StopTime = 1));
  end LinearSystems;

  model Variables
    parameter Real p = -1;
    Real x(start = 0, fixed = true);
  equation
    der(x) = p*x + 1;
    annotation(experiment(StopTime = 1));
  end Variables;

  model Units
    parameter Real T(unit = "s") = 0.2;
    parameter Real u0(unit = "kg") = 8.5;
    parameter Real F(unit = "N") = 20;
    parameter Real m(unit = "kg") = 10;
    Real x(unit = "kg", start = 5.5, fixed = true);
    Real v(unit = "m/s", start = 1, fixed = true);
    Real a(unit = "m/s2");
  equation
    T*der(x) + x = u0;
    F = m*a;
    der(v) = a;
    annotation(experiment(StopTime = 1));
  end Units;

  model SingularLRRL "No ground: one of the currents at the nodes is redundant, and the potentials are only known up to a constant"
    Inductor L1(L = 0.1);
    Inductor L2(L = 0.2, i(start = 0.1, fixed = true));
    Resistor R1(R = 10);
    Resistor R2(R = 20);
    ConstantVoltage V(V = 10);
    Ground ground;
  equation
    connect(V.p, L1.p);
    connect(L1.n, R1.p);
    connect(L1.n, R2.p);
    connect(R1.n, L2.p);
    connect(R2.n, L2.p);
    connect(L2.n, V.n);
    connect(V.n, ground.p);
    annotation(experiment(StopTime = 1));
  end SingularLRRL;

  model MultiReturn4 "Three coupled inertias; a function of a record gives two torques"
    record Accelerations
      Real z1;
      Real z2;
    end Accelerations;
    function cut_torques
      input Accelerations a;
      input Real J1;
      input Real J2;
      input Real tau0;
      output Real tau1;
      output Real tau2;
    algorithm
      tau1 := tau0 - J1*a.z1;
      tau2 := tau1 - J2*a.z2;
      annotation(Inline = true);
    end cut_torques;
    parameter Real J1 = 1.1;
    parameter Real J2 = 1.2;
    parameter Real J3 = 1.3;
    Real phi1(start = 0, fixed = true, stateSelect = StateSelect.prefer);
    Real w1(start = 0, fixed = true, stateSelect = StateSelect.prefer);
    Real phi2, phi3, w2, w3, tau1, tau2;
    Real tau0 = sin(time);
    Accelerations a;
  equation
    w1 = der(phi1);
    w2 = der(phi2);
    w3 = der(phi3);
    phi2 = phi1;
    phi3 = phi2;
    a.z1 = der(w1);
    a.z2 = der(w2);
    (tau1, tau2) = cut_torques(a, J1, J2, tau0);
    J3*der(w3) = tau2;
    annotation(experiment(StopTime = 2));
  end MultiReturn4;

  model MultiReturn5 "Pendulum with damping"
    Real phi(start = 1.5707963267948966, fixed = true);
    Real w(start = 0, fixed = true);
  equation
    w = der(phi);
    der(w) + sin(phi) = -w;
    annotation(experiment(StopTime = 10));
  end MultiReturn5;
end Modia;
