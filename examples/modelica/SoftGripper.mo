// plot: egg.r_0[3] lift.s finger[1].s
model SoftGripper "Two soft pads hold an egg and lift it off a table"
  // Springs in the joints press the pads against the egg, which they give way to. From 0.4 s to 1.2 s a drive lifts the hand by 0.1 m: the egg goes with it.
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  parameter Real press(unit = "N") = 4 "Force of a finger";
  Parts.Solid table(shape = Shapes.Box(0.4, 0.4, 0.02), material = "DryWood", r = {0, 0, -0.01}, fixed = true);
  Parts.Solid egg(shape = Shapes.Ellipsoid(0.045, 0.045, 0.06), material = "DryWood", mass = 0.06, r = {0, 0, 0.03});
  Joints.Prismatic lift(n = {0, 0, 1}, useAxisFlange = true);
  Parts.FixedTranslation hand(r = {0, 0, 0.03});
  Parts.Body palm(m = 0.5, r_CM = {0, 0, 0.1});
  Joints.Prismatic finger[2](n = {{1, 0, 0}, {-1, 0, 0}}, s(each start = 0.055), each c = 200, s_rest = fill(0.05 - press/200, 2), each d = 10);
  Parts.Body plate[2](each m = 0.05);
  Parts.SoftBody pad[2](each shape = Shapes.Box(0.02, 0.04, 0.04), each gridSize = 0.01, each E = 3e4, each zeta = 0.5, each mu = 0.8,
    r_start = {{-0.012, 0, 0}, {0.012, 0, 0}}, face_a = {Types.Face.x_high, Types.Face.x_low});
  Translational.Sources.Position motor;
  Real x = min(1, max(0, (time - 0.4)/0.8));
equation
  motor.s_ref = 0.1*x^3*(10 - 15*x + 6*x^2);
  connect(world.frame_b, lift.frame_a);
  connect(lift.frame_b, hand.frame_a);
  connect(hand.frame_b, palm.frame_a);
  connect(hand.frame_b, finger[1].frame_a);
  connect(hand.frame_b, finger[2].frame_a);
  connect(finger.frame_b, plate.frame_a);
  connect(finger.frame_b, pad.frame_a);
  connect(motor.flange, lift.axis);
  annotation(experiment(StopTime = 1.6));
end SoftGripper;
