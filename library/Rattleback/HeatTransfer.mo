within Rattleback;
package HeatTransfer "Heat conduction in lumped bodies"
  package Interfaces "Heat ports"
    connector HeatPort "Temperature and heat flow into the component"
      Units.Temperature T;
      flow Units.HeatFlowRate Q_flow;
    end HeatPort;
    connector HeatPort_a = HeatPort;
    connector HeatPort_b = HeatPort;
    partial model Element1D "Heat flows from port_a to port_b, none is stored"
      HeatPort_a port_a;
      HeatPort_b port_b;
      Units.HeatFlowRate Q_flow "From a to b";
      Real dT(unit = "K") "port_a.T - port_b.T";
    equation
      dT = port_a.T - port_b.T;
      port_a.Q_flow = Q_flow;
      port_b.Q_flow = -Q_flow;
    end Element1D;
  end Interfaces;

  package Components "Storage and conduction"
    model HeatCapacitor "Body of one temperature"
      parameter Units.HeatCapacity C(start = 1) = 1;
      Units.Temperature T(start = 293.15);
      Real der_T(unit = "K/s", start = 0);
      Interfaces.HeatPort_a port;
    equation
      T = port.T;
      der_T = der(T);
      C * der_T = port.Q_flow;
    end HeatCapacitor;
    model ThermalConductor "Q_flow = G dT"
      extends Interfaces.Element1D;
      parameter Units.ThermalConductance G(start = 1) = 1;
    equation
      Q_flow = G * dT;
    end ThermalConductor;
    model ThermalResistor "dT = R Q_flow"
      extends Interfaces.Element1D;
      parameter Units.ThermalResistance R(start = 1) = 1;
    equation
      dT = R * Q_flow;
    end ThermalResistor;
    model Convection "Between a wall and a fluid, conductance from a signal"
      Units.HeatFlowRate Q_flow "From solid to fluid";
      Real dT(unit = "K");
      Blocks.Interfaces.RealInput Gc(unit = "W/K");
      Interfaces.HeatPort_a solid;
      Interfaces.HeatPort_b fluid;
    equation
      dT = solid.T - fluid.T;
      solid.Q_flow = Q_flow;
      fluid.Q_flow = -Q_flow;
      Q_flow = Gc * dT;
    end Convection;
    model Rod "Rod insulated along its length, in n volumes of equal size; ports at both ends"
      parameter Integer n(min = 1) = 5;
      parameter Units.Length L = 1;
      parameter Units.Area A = 4e-4;
      parameter Real rho(unit = "kg/m3") = 7500 "Density";
      parameter Real lambda(unit = "W/(m.K)") = 74 "Conductivity";
      parameter Real c(unit = "J/(kg.K)") = 450 "Specific heat capacity";
      parameter Units.Temperature T0 = 293.15 "At the start";
      Interfaces.HeatPort_a port_a;
      Interfaces.HeatPort_b port_b;
      Units.Temperature T[n](each start = T0, each fixed = true) "Middle of the volumes";
    protected
      final parameter Units.Length dx = L / n;
      final parameter Units.ThermalConductance G = lambda * A / dx "Between neighbours";
      final parameter Units.HeatCapacity C = rho * c * A * dx;
      Units.HeatFlowRate Q[n + 1] "Through the faces";
    equation
      Q[1] = 2 * G * (port_a.T - T[1]);
      for i in 2:n loop
        Q[i] = G * (T[i - 1] - T[i]);
      end for;
      Q[n + 1] = 2 * G * (T[n] - port_b.T);
      for i in 1:n loop
        C * der(T[i]) = Q[i] - Q[i + 1];
      end for;
      port_a.Q_flow = Q[1];
      port_b.Q_flow = -Q[n + 1];
    end Rod;
  end Components;

  package Sources "Boundary conditions"
    model FixedTemperature
      parameter Units.Temperature T = 293.15;
      Interfaces.HeatPort_b port;
    equation
      port.T = T;
    end FixedTemperature;
    model PrescribedTemperature "Temperature from a signal"
      Interfaces.HeatPort_b port;
      Blocks.Interfaces.RealInput T(unit = "K");
    equation
      port.T = T;
    end PrescribedTemperature;
    model FixedHeatFlow "Into the connected component"
      parameter Units.HeatFlowRate Q_flow(start = 1) = 1;
      Interfaces.HeatPort_b port;
    equation
      port.Q_flow = -Q_flow;
    end FixedHeatFlow;
    model PrescribedHeatFlow "Heat flow from a signal"
      Blocks.Interfaces.RealInput Q_flow(unit = "W");
      Interfaces.HeatPort_b port;
    equation
      port.Q_flow = -Q_flow;
    end PrescribedHeatFlow;
  end Sources;

  package Sensors "Ideal sensors"
    model TemperatureSensor
      Blocks.Interfaces.RealOutput T(unit = "K");
      Interfaces.HeatPort_a port;
    equation
      T = port.T;
      port.Q_flow = 0;
    end TemperatureSensor;
    model HeatFlowSensor
      Blocks.Interfaces.RealOutput Q_flow(unit = "W");
      Interfaces.HeatPort_a port_a;
      Interfaces.HeatPort_b port_b;
    equation
      port_a.T = port_b.T;
      port_a.Q_flow + port_b.Q_flow = 0;
      Q_flow = port_a.Q_flow;
    end HeatFlowSensor;
  end Sensors;
end HeatTransfer;
