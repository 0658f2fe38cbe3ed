// plot: ball.r_0[1] slide.s
model Pusher "A motor turns a crank whose ram pushes a ball up a slope: drive, loop and contact in one model"
  // Plot ball.r_0[1] and slide.s: the ball rolls back to the ram, which hits it again at every turn of the crank. energy.residual stays
  // near zero: what the motor puts in is in the motion, in the height of the ball, or was lost in the contacts.
  import Rattleback.*;
  inner World world(gravity = 9.81*{-sin(0.2), 0, -cos(0.2)});
  parameter Real r(unit = "m") = 0.1 "Crank", l(unit = "m") = 0.3 "Rod", w0(unit = "rad/s") = 8 "Speed that is wanted", k(unit = "N.m.s/rad") = 0.5;
  Joints.Revolute crank(n = {0, 1, 0}, useAxisFlange = true, phi(start = 3.1, fixed = true), w(start = w0, fixed = true));
  Joints.Revolute wrist(n = {0, 1, 0}, phi(start = -3.1)), pin(n = {0, 1, 0});
  Joints.Prismatic slide(n = {1, 0, 0}, s(start = 0.2), canCollide = true);
  Parts.FixedTranslation web(r = {r, 0, 0}), rod(r = {l, 0, 0});
  Parts.Body crankBody(m = 0.5, r_CM = {r/2, 0, 0}), rodBody(m = 0.3, r_CM = {l/2, 0, 0});
  Parts.Solid ram(shape = Shapes.Box(0.1, 0.1, 0.06));
  Parts.Solid floor(shape = Shapes.Box(4, 1, 0.1), r = {1, 0, -0.1}, fixed = true, material = "Steel");
  Parts.Solid ball(shape = Shapes.Sphere(0.1), r = {0.55, 0, 0});
  Rotational.Components.Inertia motor(J = 0.02);
  Rotational.Components.IdealGear gear(ratio = 5);
  Rotational.Sources.Torque torque;
equation
  connect(world.frame_b, crank.frame_a);
  connect(crank.frame_b, web.frame_a);
  connect(crank.frame_b, crankBody.frame_a);
  connect(web.frame_b, wrist.frame_a);
  connect(wrist.frame_b, rod.frame_a);
  connect(wrist.frame_b, rodBody.frame_a);
  connect(rod.frame_b, pin.frame_a);
  connect(world.frame_b, slide.frame_a);
  connect(slide.frame_b, ram.frame_a);
  connect(ram.frame_a, pin.frame_b);
  connect(torque.flange, motor.flange_a);
  connect(motor.flange_b, gear.flange_a);
  connect(gear.flange_b, crank.axis);
  torque.tau = k*(5*w0 - motor.w);
  annotation(experiment(StopTime = 6, Tolerance = 1e-8));
end Pusher;
