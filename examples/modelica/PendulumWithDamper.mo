// plot: hinge.phi
model PendulumWithDamper "A beam on a hinge whose drive side is a damper (thesis, Fig. 3.4)"
  // Plot hinge.phi: it swings down from the horizontal and comes to rest at -pi/2.
  import Rattleback.*;
  inner World world(g = 9.81) "Gravity along -y";
  Joints.Revolute hinge(n = {0, 0, 1}, useAxisFlange = true, phi(start = 0, fixed = true), w(fixed = true));
  Parts.Solid beam(shape = Shapes.Beam(length = 1.0, width = 0.2, thickness = 0.2), material = "Steel", r_shape = {0.5, 0, 0});
  Rotational.Components.Damper damper(d = 200);
equation
  connect(world.frame_b, hinge.frame_a);
  connect(hinge.frame_b, beam.frame_a);
  connect(damper.flange_a, hinge.support);
  connect(damper.flange_b, hinge.axis);
  annotation(experiment(StopTime = 30, Tolerance = 1e-8));
end PendulumWithDamper;
