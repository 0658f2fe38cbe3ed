// plot: hinge.phi reference
model ServoArm "A servo drive with cascaded controllers moves an arm (thesis, Fig. 3.7)"
  // Plot hinge.phi and reference: the arm follows a smooth step from 0 to 1 rad against gravity.
  import Rattleback.*;
  inner World world(g = 9.81);
  parameter Real ratio = 105 "Of the gear";
  parameter Real k1(unit = "1/s") = 30 "Position to speed";
  parameter Real k2(unit = "N.m.s/rad") = 0.5 "Speed to torque of the motor";
  parameter Real T2(unit = "s") = 0.05 "Reset time of the speed controller";
  Joints.Revolute hinge(n = {0, 0, 1}, useAxisFlange = true, phi(start = 0, fixed = true), w(fixed = true));
  Parts.Body load(m = 10, r_CM = {0.5, 0, 0}, I_11 = 0.1, I_22 = 0.8, I_33 = 0.8);
  Rotational.Components.IdealGear gear(ratio = ratio);
  Rotational.Components.Inertia motor(J = 1e-3);
  Rotational.Sources.Torque torque;
  Real s = min(1, time/1.5) "Part of the way in time";
  Real reference(unit = "rad") = s^3*(10 - 15*s + 6*s^2);
  Real error(unit = "rad/s") "Of the speed of the motor";
  Real integral(unit = "rad", start = 0, fixed = true);
equation
  connect(world.frame_b, hinge.frame_a);
  connect(hinge.frame_b, load.frame_a);
  connect(torque.flange, motor.flange_a);
  connect(motor.flange_b, gear.flange_a);
  connect(gear.flange_b, hinge.axis);
  error = ratio*k1*(reference - hinge.phi) - motor.w;
  der(integral) = error;
  torque.tau = k2*(error + integral/T2);
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end ServoArm;
