package Thesis "Systems of all kinds that the pipeline must master; what must come out is in tests/unit/translate/test_examples.c"
  import Rattleback.*;

  model LowPass
    parameter Real T(unit = "s") = 0.2;
    parameter Real u = 2;
    Real x(start = 0.5, fixed = true);
  equation
    T*der(x) + x = u;
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end LowPass;

  model Filter "Voltage source, resistor, capacitor"
    Electrical.Basic.Resistor R(R = 10);
    Electrical.Basic.Capacitor C(C = 0.05, v(start = 1, fixed = true));
    Electrical.Sources.ConstantVoltage V(V = 5);
    Electrical.Basic.Ground ground;
  equation
    connect(V.p, R.p);
    connect(R.n, C.p);
    connect(C.n, V.n);
    connect(V.n, ground.p);
    annotation(experiment(StopTime = 2, Tolerance = 1e-9));
  end Filter;

  model LinearOde "The number of states follows from the matrix"
    parameter Real A[:, :] = [0, 1; -4, 0];
    parameter Real x0[:] = {1, 0};
    Real x[size(A, 1)](start = x0, each fixed = true);
  equation
    der(x) = A*x;
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end LinearOde;

  model LinearOde3 "The same with three states"
    extends LinearOde(A = [-1, 0, 0; 1, -1, 0; 0, 1, -1], x0 = {1, 0, 0});
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end LinearOde3;

  block PPI "Proportional control of the angle around proportional-integral control of the speed"
    parameter Real k1 = 50;
    parameter Real k2 = 0.1;
    parameter Real T(unit = "s") = 0.015;
    Blocks.Interfaces.RealInput reference "of the angle on the side of the load";
    Blocks.Interfaces.RealInput angle;
    Blocks.Interfaces.RealInput speed;
    Blocks.Interfaces.RealOutput torque;
    parameter Real ratio = 105;
    Real x(start = 0, fixed = true) "Integral of the error of the speed over T";
    Real error = ratio*k1*(reference - angle) - speed;
  equation
    T*der(x) = error;
    torque = k2*(error + x);
  end PPI;

  model Servo "Controller, motor, gear and load: the accelerations before and after the gear are an algebraic loop"
    Blocks.Sources.Ramp ramp(duration = 0.5, height = 1);
    PPI control;
    Rotational.Sensors.AngleSensor angle;
    Rotational.Sensors.SpeedSensor speed;
    Rotational.Torque torque;
    Rotational.Inertia motor(J = 0.0013);
    Rotational.IdealGear gear(ratio = 105);
    Rotational.Inertia load(J = 10, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  equation
    connect(ramp.y, control.reference);
    connect(angle.phi, control.angle);
    connect(speed.w, control.speed);
    connect(control.torque, torque.tau);
    connect(torque.flange, motor.flange_a);
    connect(speed.flange, motor.flange_b);
    connect(motor.flange_b, gear.flange_a);
    connect(gear.flange_b, load.flange_a);
    connect(load.flange_b, angle.flange);
    annotation(experiment(StopTime = 2, Tolerance = 1e-9));
  end Servo;

  model ServoByHand "The same, reduced to three states on paper"
    parameter Real r = 105;
    parameter Real J = 10 + r^2*0.0013;
    Real reference = if time < 0.5 then 2*time else 1;
    Real phi(start = 0, fixed = true);
    Real w(start = 0, fixed = true);
    Real x(start = 0, fixed = true);
    Real error = r*50*(reference - phi) - r*w;
  equation
    der(phi) = w;
    J*der(w) = r*0.1*(error + x);
    0.015*der(x) = error;
    annotation(experiment(StopTime = 2, Tolerance = 1e-9));
  end ServoByHand;

  model BridgeRectifier "Four ideal diodes, resistive load: |sin|, but for the drop over the diodes"
    Electrical.Sources.SineVoltage source(V = 10, f = 50);
    Electrical.Ideal.IdealDiode d1(Ron = 1e-6, Goff = 1e-6), d2(Ron = 1e-6, Goff = 1e-6), d3(Ron = 1e-6, Goff = 1e-6), d4(Ron = 1e-6, Goff = 1e-6);
    Electrical.Basic.Resistor load(R = 10);
    Electrical.Basic.Ground ground;
  equation
    connect(source.p, d1.p);
    connect(source.p, d3.n);
    connect(source.n, d2.p);
    connect(source.n, d4.n);
    connect(d1.n, load.p);
    connect(d2.n, load.p);
    connect(d3.p, load.n);
    connect(d4.p, load.n);
    connect(load.n, ground.p);
    annotation(experiment(StopTime = 0.04));
  end BridgeRectifier;

  model Clutch "Two inertias rub until they stick; a growing torque tears them apart again"
    parameter Real J1 = 1;
    parameter Real J2 = 2;
    parameter Real tau_max = 3;
    Real w1(start = 10, fixed = true);
    Real w2(start = 0, fixed = true);
    Real w_rel = w1 - w2;
    Real a_rel = der(w_rel);
    Real tau "Friction";
    Real load = if time < 4 then 0 else 2*(time - 4) "Torque on the second inertia";
    Real s "Torque while it sticks, acceleration beyond the limit while it slides";
    Boolean forward, backward, locked;
    Integer mode(start = 1, fixed = true);
  equation
    J1*der(w1) = -tau;
    J2*der(w2) = tau + load;
    forward = pre(mode) == 0 and s > tau_max;
    backward = pre(mode) == 0 and s < -tau_max;
    locked = pre(mode) == 0 and not forward and not backward;
    a_rel = if locked then 0 elseif forward or pre(mode) == 1 then s - tau_max else s + tau_max;
    tau = if locked then s elseif forward or pre(mode) == 1 then tau_max else -tau_max;
    mode = if (pre(mode) == 1 or forward) and w_rel > 0 then 1
           elseif (pre(mode) == -1 or backward) and w_rel < 0 then -1 else 0;
    annotation(experiment(StopTime = 10, Tolerance = 1e-9));
  end Clutch;

  model BouncingBall "As everyone writes it first: its bounces come ever faster"
    parameter Real e = 0.7;
    parameter Real g(unit = "m/s2") = 9.81;
    Real h(unit = "m", start = 1, fixed = true);
    Real v(unit = "m/s", start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -g;
    when h < 0 then
      reinit(v, -e*pre(v));
    end when;
    annotation(experiment(StopTime = 5, Tolerance = 1e-9));
  end BouncingBall;

  model RestingBall "With a state of rest"
    parameter Real e = 0.7;
    parameter Real g(unit = "m/s2") = 9.81;
    Real h(unit = "m", start = 1, fixed = true);
    Real v(unit = "m/s", start = 0, fixed = true);
    Boolean flying(start = true, fixed = true);
    Boolean below = h < 0;
  equation
    der(h) = v;
    der(v) = if flying then -g else 0;
    when below then
      flying = -e*pre(v) > 1e-3;
      reinit(v, if -e*pre(v) > 1e-3 then -e*pre(v) else 0);
    end when;
    annotation(experiment(StopTime = 5, Tolerance = 1e-9));
  end RestingBall;
end Thesis;
