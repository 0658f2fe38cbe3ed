// plot: sphere.r_0[3] lift.s finger[1].s
model Gripper "Two fingers hold a sphere by friction and lift it off a table"
  // Springs in the joints press the fingers together. From 0.5 s to 1.5 s a drive lifts the hand by 0.2 m: the sphere goes with it.
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  parameter Real d(unit = "m") = 0.05 "Of the sphere";
  parameter Real press(unit = "N") = 30 "Force of a finger";
  Parts.Solid table(shape = Shapes.Box(0.4, 0.4, 0.02), material = "DryWood", r = {0, 0, -0.01}, fixed = true);
  Parts.Solid sphere(shape = Shapes.Sphere(d), material = "DryWood", r = {0, 0, d/2});
  Joints.Prismatic lift(n = {0, 0, 1}, useAxisFlange = true);
  Parts.FixedTranslation hand(r = {0, 0, d/2});
  Parts.Body palm(m = 0.5, r_CM = {0, 0, 0.1});
  Joints.Prismatic finger[2](n = {{1, 0, 0}, {-1, 0, 0}}, s(each start = 0.032), each c = 1000, s_rest = fill(0.03 - press/1000, 2), each d = 20);
  Parts.Solid tip[2](each shape = Shapes.Box(0.01, 0.03, 0.03), each material = "DryWood");
  Translational.Sources.Position motor;
  Real x = min(1, max(0, time - 0.5));
equation
  motor.s_ref = 0.2*x^3*(10 - 15*x + 6*x^2);
  connect(world.frame_b, lift.frame_a);
  connect(lift.frame_b, hand.frame_a);
  connect(hand.frame_b, palm.frame_a);
  connect(hand.frame_b, finger[1].frame_a);
  connect(hand.frame_b, finger[2].frame_a);
  connect(finger.frame_b, tip.frame_a);
  connect(motor.flange, lift.axis);
  annotation(experiment(StopTime = 2, Tolerance = 1e-7));
end Gripper;
