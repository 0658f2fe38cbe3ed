package HeatedRod "A rod heated at one end, in two forms: equations alone, and with a component in C"
  connector HeatPort "Temperature and heat flow into the component"
    Real T(unit = "K");
    flow Real Q_flow(unit = "W");
  end HeatPort;

  model FixedTemperature "Holds its port at a temperature"
    parameter Real T(unit = "K") = 493.15;
    HeatPort port;
  equation
    port.T = T;
  end FixedTemperature;

  model EquationRod "n elements of equal length; n may change after translation, before the run"
    parameter Integer n = 5;
    parameter Real L(unit = "m") = 1.0;
    parameter Real A(unit = "m2") = 0.0004;
    parameter Real rho(unit = "kg/m3") = 7500;
    parameter Real c(unit = "J/(kg.K)") = 450;
    parameter Real lambda(unit = "W/(m.K)") = 74;
    parameter Real T0(unit = "K") = 273.15;
    parameter Real G(unit = "W/K") = lambda*A*n/L "Between neighbours";
    parameter Real C(unit = "J/K") = rho*A*L/n*c "Of one element";
    HeatPort port_a, port_b;
    Real T[n](each start = T0, each fixed = true, each unit = "K", each nominal = 300);
    Real Q_flow[n + 1](each unit = "W") "Through the borders of the elements, from a to b";
  equation
    port_a.Q_flow = 2*G*(port_a.T - T[1]);
    port_b.Q_flow = 2*G*(port_b.T - T[n]);
    Q_flow[1] = port_a.Q_flow;
    Q_flow[2:n] = G*(T[1:n - 1] - T[2:n]);
    Q_flow[n + 1] = -port_b.Q_flow;
    C*der(T) = Q_flow[1:n] - Q_flow[2:n + 1];
  end EquationRod;

  model ComponentRod "The same in C: n may change likewise, and at refine_time while the rod runs"
    parameter Integer n = 5;
    parameter Real L(unit = "m") = 1.0;
    parameter Real A(unit = "m2") = 0.0004;
    parameter Real rho(unit = "kg/m3") = 7500;
    parameter Real c(unit = "J/(kg.K)") = 450;
    parameter Real lambda(unit = "W/(m.K)") = 74;
    parameter Real T0(unit = "K") = 273.15;
    parameter Real refine_time(unit = "s") = 0 "0: never";
    parameter Integer refine_n = 40;
    HeatPort port_a, port_b;
    Real T_first(unit = "K"), T_last(unit = "K") "Of the elements at the ends, computed by the component";
    annotation(__Rattleback(component = "InsulatedRod"));
  end ComponentRod;

  model Both "The two forms side by side, each between a hot and a cold end"
    FixedTemperature hot, cold(T = 293.15);
    EquationRod rod;
    ComponentRod component;
  equation
    connect(hot.port, rod.port_a);
    connect(rod.port_b, cold.port);
    connect(hot.port, component.port_a);
    connect(component.port_b, cold.port);
    annotation(experiment(StopTime = 1e4, Tolerance = 1e-6));
  end Both;

  model Main "The rod as a component, heated at one end, insulated at the other"
    FixedTemperature hot;
    ComponentRod rod(n = 8);
  equation
    connect(hot.port, rod.port_a);
    annotation(experiment(StopTime = 1e5, Tolerance = 1e-6));
  end Main;
end HeatedRod;
