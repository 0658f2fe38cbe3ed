// plot: rev[1].phi rev[5].phi
model NewtonsCradle "Five spheres on strings; the first is lifted and let go"
  // Plot rev[1].phi and rev[5].phi: the outer spheres swing in turn, the inner ones hardly move.
  import Rattleback.*;
  parameter Integer n = 5;
  parameter Real d(unit = "m") = 0.02 "Diameter";
  parameter Real length(unit = "m") = 0.15 "Of the strings";
  inner World world(g = 9.81, n = {0, 0, -1});
  Parts.Fixed hook[n](r = {{0, (i - (n + 1)/2)*1.01*d, 0} for i in 1:n});
  Joints.Revolute rev[n](each n = {1, 0, 0}, phi(start = {if i == 1 then -1.0472 else 0 for i in 1:n}));
  Parts.Solid ball[n](each shape = Shapes.Sphere(d), each material = "BilliardBall", each r_shape = {0, 0, -length});
equation
  connect(hook.frame_b, rev.frame_a);
  connect(rev.frame_b, ball.frame_a);
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end NewtonsCradle;
