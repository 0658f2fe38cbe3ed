// plot: white.r_0[1] white.r_0[2] ball[6].r_0[1]
model Pool "Seen from above and without gravity: a white ball runs into a group between fixed obstacles (CollisionLib, section 4.2)"
  // Nobody declares which bodies may touch. Each runs on by itself until it meets another.
  import Rattleback.*;
  inner World world(gravityType = World.GravityType.NoGravity, publishedLaws = true);
  Parts.Solid wall[4](shape = {Shapes.Box(2, 0.05, 0.1), Shapes.Box(2, 0.05, 0.1), Shapes.Box(0.05, 1, 0.1), Shapes.Box(0.05, 1, 0.1)},
    each material = "BilliardCushion", r = {{0, 0.525, 0}, {0, -0.525, 0}, {1.025, 0, 0}, {-1.025, 0, 0}}, each fixed = true);
  Parts.Solid post[3](each shape = Shapes.Cylinder(0.12, 0.1), each material = "BilliardCushion",
    r = {{-0.3, 0.2, 0}, {0.1, -0.25, 0}, {0.7, 0.3, 0}}, each fixed = true);
  Parts.Solid white(shape = Shapes.Sphere(0.06), material = "BilliardBall", r = {-0.8, 0.03, 0}, v = {2, 0, 0});
  parameter Integer row[6] = {0, 1, 1, 2, 2, 2}, place[6] = {0, 0, 1, 0, 1, 2} "Of each ball in the group";
  Parts.Solid ball[6](each shape = Shapes.Sphere(0.06), each material = "BilliardBall",
    r = {{0.35 + row[i]*0.0525, (place[i] - 0.5*row[i])*0.0605, 0} for i in 1:6});
  annotation(experiment(StopTime = 4, Tolerance = 1e-8));
end Pool;
