// plot: axis[1].phi axis[2].phi axis[3].phi axis[4].phi axis[5].phi
model FiveAxisArm "An arm with five driven axes reaches for a work piece"
  // Motor, gear and cascaded controllers at every axis; all axes arrive at the same time. Plot axis[2].phi and axis[2].reference: it
  // follows its reference against gravity; energy.input is what the motors have put in.
  import Rattleback.*;

  model Axis "A driven hinge: the speed controller of the motor inside the controller of the position"
    outer World world;
    input Real s "Part of the way, from 0 to 1";
    input Real ds(unit = "1/s") "and its rate";
    Interfaces.Frame_a frame_a;
    Interfaces.Frame_b frame_b;
    parameter Real n[3] = {0, 0, 1} "Axis";
    parameter Real J(unit = "kg.m2") "Of the motor";
    parameter Real ratio "Of the gear";
    parameter Real from(unit = "rad"), to(unit = "rad") "Angles";
    parameter Real k1(unit = "1/s") = 50 "Position to speed";
    parameter Real k2(unit = "N.m.s/rad") = 0.1 "Speed to torque";
    parameter Real T2(unit = "s") = 1 "Reset time";
    Joints.Revolute hinge(n = n, useAxisFlange = true, phi(start = from, fixed = true), w(fixed = true));
    Rotational.Components.Inertia motor(J = J);
    Rotational.Components.IdealGear gear(ratio = ratio);
    Rotational.Sources.Torque torque;
    Real phi(unit = "rad") = hinge.phi;
    Real reference(unit = "rad") = from + (to - from)*s;
    Real error(unit = "rad/s") "Of the speed of the motor";
    Real integral(unit = "rad", start = 0, fixed = true);
  equation
    connect(frame_a, hinge.frame_a);
    connect(hinge.frame_b, frame_b);
    connect(torque.flange, motor.flange_a);
    connect(motor.flange_b, gear.flange_a);
    connect(gear.flange_b, hinge.axis);
    error = ratio*(k1*(reference - phi) + (to - from)*ds) - motor.w;
    der(integral) = error;
    torque.tau = k2*(error + integral/T2);
  end Axis;

  inner World world(g = 9.81, n = {0, 0, -1});
  parameter Real T(unit = "s") = 2 "Time of the motion";
  Real x = min(1, time/T);
  Real s = x^3*(10 - 15*x + 6*x^2), ds(unit = "1/s") = if time < T then 30*x^2*(1 - x)^2/T else 0;
  Axis axis[5](n = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 0, 1}}, J = {1.3909e-5, 1.3909e-5, 1.3571e-5, 9.321e-6, 3.571e-6},
    ratio = {156, 156, 100, 71, 71}, from = zeros(5), to = {1.2, 0.6, 0.5, 0.9, -1});
  Parts.FixedTranslation link[5](r = {{0.033, 0, 0.075}, {0, 0, 0.155}, {0, 0, 0.135}, {0, 0, 0.11316}, {0, 0, 0.05716}});
  Parts.Body body[5](m = {1.390, 1.318, 0.821, 0.769, 0.687}, r_CM = {{0.016, 0, 0.037}, {0, 0, 0.078}, {0, 0, 0.068}, {0, 0, 0.057}, {0, 0, 0.029}},
    each I_11 = 0.003, each I_22 = 0.003, each I_33 = 0.001);
  Sensors.AbsolutePosition tool(resolveInFrame = Types.ResolveInFrame.world);
equation
  connect(world.frame_b, axis[1].frame_a);
  for i in 1:5 loop
    axis[i].s = s;
    axis[i].ds = ds;
    connect(axis[i].frame_b, link[i].frame_a);
    connect(axis[i].frame_b, body[i].frame_a);
  end for;
  for i in 2:5 loop
    connect(link[i - 1].frame_b, axis[i].frame_a);
  end for;
  connect(link[5].frame_b, tool.frame_a);
  annotation(experiment(StopTime = 4, Tolerance = 1e-8));
end FiveAxisArm;
