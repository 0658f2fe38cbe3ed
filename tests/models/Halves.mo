// Models for tests/unit/model/test_two_halves.c.
package Halves "Classes that components in C implement"
  model HeatAccount "The equations keep account of the heat while the rod changes its number of elements"
    HeatedRod.FixedTemperature hot, cold(T = 293.15);
    HeatedRod.ComponentRod rod(n = 5, refine_time = 3000, refine_n = 8);
    Real E(start = 0, fixed = true, unit = "J", nominal = 1e4) "Heat that the surroundings have given away";
    Boolean warm(start = false, fixed = true);
  equation
    connect(hot.port, rod.port_a);
    connect(rod.port_b, cold.port);
    der(E) = -hot.port.Q_flow - cold.port.Q_flow;
    warm = rod.T_last > 300;
  end HeatAccount;

  model Rods "Equations with n = 8"
    HeatedRod.FixedTemperature hot, cold(T = 293.15);
    HeatedRod.EquationRod rod(n = 8);
  equation
    connect(hot.port, rod.port_a);
    connect(rod.port_b, cold.port);
  end Rods;

  model ComponentRods
    HeatedRod.FixedTemperature hot, cold(T = 293.15);
    parameter Real area(unit = "m2") = 0.0004;
    HeatedRod.ComponentRod rod(n = 5, A = area);
  equation
    connect(hot.port, rod.port_a);
    connect(rod.port_b, cold.port);
  end ComponentRods;

  model Battery
    extends Capacitors.TwoPin;
    parameter Real V(unit = "V") = 10;
  equation
    p.v - n.v = V;
    0 = p.i + n.i;
  end Battery;

  model Charge "A capacitor at a constant voltage: v = V (1 - exp(-t/(R C)))"
    Capacitors.ComponentCapacitor c;
    Capacitors.Resistor r;
    Capacitors.Ground ground;
    Battery battery;
  equation
    connect(battery.p, r.p);
    connect(battery.n, ground.p);
    connect(r.n, c.p);
    connect(c.n, ground.p);
  end Charge;

  model Arm "A pendulum in C, on a cart or a fixed base; its joint belongs to the equations"
    Real phi(start = 1.2, fixed = true, unit = "rad");
    Real w(start = 0, fixed = true, unit = "rad/s");
    Real z(unit = "rad/s2");
    Real tau(unit = "N.m") "Driving torque";
  equation
    w = der(phi);
    z = der(w);
    annotation(__Rattleback(component = "Arm"));
  end Arm;

  model MotorOverGear "The angle of the motor follows that of the arm: index 3"
    Arm arm;
    parameter Real J(unit = "kg.m2") = 1e-3;
    parameter Real ratio = 30;
    parameter Real tau_m(unit = "N.m") = 0;
    Real phi_m(unit = "rad"), w_m(unit = "rad/s");
  equation
    phi_m = ratio*arm.phi;
    w_m = der(phi_m);
    J*der(w_m) = tau_m - arm.tau/ratio;
  end MotorOverGear;

  model HeldByMotor "The motor starts where it holds the arm at rest: the angle is found"
    extends MotorOverGear(tau_m = 0.2, arm(phi(start = 0.3, fixed = false), w(fixed = false)));
  initial equation
    arm.w = 0;
    arm.z = 0;
  end HeldByMotor;

  model TorqueForRest "The motor torque that holds the arm at the angle of the start is found"
    extends MotorOverGear(tau_m(start = 0.1, fixed = false) = break);
  initial equation
    arm.z = 0;
  end TorqueForRest;

  model MotorIsTheState "The equations keep the speed of the motor, not that of the arm"
    extends MotorOverGear(phi_m(stateSelect = StateSelect.always), w_m(stateSelect = StateSelect.always),
      arm(phi(stateSelect = StateSelect.never), w(stateSelect = StateSelect.never)));
  end MotorIsTheState;

  model Prescribed "The angle of the arm is given: the torque follows"
    Arm arm(phi(fixed = false), w(fixed = false));
  equation
    arm.phi = 3*time;
  end Prescribed;

  model Oscillator "Swings by itself: s = cos(omega t)"
    Real s(unit = "m");
    annotation(__Rattleback(component = "Oscillator"));
  end Oscillator;

  model Carried "A mass that the oscillator carries: its force needs the second derivative of what the component computes"
    Oscillator oscillator;
    parameter Real m(unit = "kg") = 2;
    Real s(unit = "m"), v(unit = "m/s"), F(unit = "N");
  equation
    s = oscillator.s;
    v = der(s);
    F = m*der(v);
  end Carried;

  model MixedParallel "A capacitor with equations beside one in C: the derivative of the voltage is not known"
    Battery battery;
    Capacitors.Resistor r;
    Capacitors.ComponentCapacitor c1;
    Capacitors.Capacitor c2;
    Capacitors.Ground ground;
  equation
    connect(battery.p, r.p);
    connect(r.n, c1.p);
    connect(r.n, c2.p);
    connect(c1.n, ground.p);
    connect(c2.n, ground.p);
    connect(battery.n, ground.p);
  end MixedParallel;

  model Unknown "No component of this name"
    Part part;
    model Part
      annotation(__Rattleback(component = "Capacitar"));
    end Part;
  end Unknown;

  model Missing "A class that lacks what the equations of its component speak of"
    Part part;
    model Part
      annotation(__Rattleback(component = "Capacitor"));
    end Part;
  end Missing;
end Halves;
