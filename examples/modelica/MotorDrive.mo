// plot: load.w speed
// A direct current motor accelerates a load over a gear; a controller keeps the speed although a brake acts from 2 s on.
//
//     rattleback simulate examples/modelica/MotorDrive.mo
//     rattleback simulate examples/modelica/MotorDrive.mo --override control.k=2
//
// Motor and load are coupled rigidly, so that only one of the two inertias has states of its own; the choice is made for you.
model MotorDrive "Speed control of a motor with gear and load"
  import Rattleback.*;
  parameter Real speed(unit = "rad/s") = 10 "Wanted at the load";
  parameter Real brake(unit = "N.m") = 4 "Torque of the brake from 2 s on";
  Blocks.Sources.Step reference(height = speed, startTime = 0.2);
  Blocks.Math.Feedback difference;
  Blocks.Continuous.PI control(k = 1, T = 0.1, initType = Blocks.Types.Init.InitialState);
  Blocks.Nonlinear.Limiter limiter(uMax = 24, uMin = -24);
  Electrical.Sources.SignalVoltage supply;
  Electrical.Basic.Resistor R(R = 0.5);
  Electrical.Basic.Inductor L(L = 1e-3, i(start = 0, fixed = true));
  Electrical.Basic.RotationalEMF emf(k = 0.1);
  Electrical.Basic.Ground ground;
  Rotational.Inertia motor(J = 1e-3);
  Rotational.IdealGear gear(ratio = 10);
  Rotational.Inertia load(J = 0.05, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Rotational.Sensors.SpeedSensor sensor;
  Rotational.Torque friction;
  Blocks.Sources.Step braking(height = -brake, startTime = 2);
equation
  connect(reference.y, difference.u1);
  connect(sensor.w, difference.u2);
  connect(difference.y, control.u);
  connect(control.y, limiter.u);
  connect(limiter.y, supply.v);
  connect(supply.p, R.p);
  connect(R.n, L.p);
  connect(L.n, emf.p);
  connect(emf.n, supply.n);
  connect(supply.n, ground.p);
  connect(emf.flange, motor.flange_a);
  connect(motor.flange_b, gear.flange_a);
  connect(gear.flange_b, load.flange_a);
  connect(load.flange_b, sensor.flange);
  connect(load.flange_b, friction.flange);
  connect(braking.y, friction.tau);
  annotation(experiment(StopTime = 4, Tolerance = 1e-6));
end MotorDrive;
