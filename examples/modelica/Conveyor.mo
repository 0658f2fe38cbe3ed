// plot: ball.v_0[1] belt.v
model Conveyor "A ball is put down on a belt that runs"
  // Sliding friction takes the ball along until it rolls: at 2/7 of the speed of the belt, whatever the coefficient of friction.
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  parameter Real V(unit = "m/s") = 1 "Speed of the belt";
  Joints.Prismatic belt(n = {1, 0, 0}, useAxisFlange = true, canCollide = true);
  Parts.Solid surface(shape = Shapes.Box(6, 0.5, 0.02), material = "DryWood", r_shape = {0, 0, -0.01});
  Parts.Solid ball(shape = Shapes.Sphere(0.1), material = "DryWood", r = {0, 0, 0.05});
  Translational.Sources.Speed motor;
equation
  motor.v_ref = V;
  connect(world.frame_b, belt.frame_a);
  connect(belt.frame_b, surface.frame_a);
  connect(motor.flange, belt.axis);
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end Conveyor;
