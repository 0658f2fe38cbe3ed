// plot: crank.phi slider.s
model SliderCrank "A crank drives a piston over a rod: a loop of three hinges and a slide"
  // The engine closes the loop. Masses and inertias follow from the sizes of the parts; without friction the energy stays.
  import Rattleback.*;
  parameter Real r(unit = "m") = 0.1 "Length of the crank", l(unit = "m") = 0.3 "Length of the rod";
  inner World world(g = 9.81);
  Joints.Revolute crank(phi(start = 0.5, fixed = true), w(start = 20, fixed = true)), big(phi(start = -0.7)), small;
  Joints.Prismatic slider(n = {1, 0, 0}, s(start = 0.38));
  Parts.BodyCylinder web(r = {r, 0, 0}, diameter = 0.03);
  Parts.BodyBox rod(r = {l, 0, 0}, width = 0.03, height = 0.02, innerWidth = 0.015, innerHeight = 0.01);
  Parts.BodyCylinder piston(r = {0.06, 0, 0}, diameter = 0.08, innerDiameter = 0.06);
equation
  connect(world.frame_b, crank.frame_a);
  connect(crank.frame_b, web.frame_a);
  connect(web.frame_b, big.frame_a);
  connect(big.frame_b, rod.frame_a);
  connect(world.frame_b, slider.frame_a);
  connect(slider.frame_b, piston.frame_a);
  connect(rod.frame_b, small.frame_a);
  connect(small.frame_b, piston.frame_a);
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end SliderCrank;
