// plot: crank.phi rocker.phi
model FourBar "A crank, a coupler and a rocker: a kinematic loop of four hinges"
  // Plot crank.phi and rocker.phi. The engine closes the loop; the axes are parallel, so that three of its constraints are redundant.
  import Rattleback.*;
  inner World world(g = 9.81);
  Parts.Fixed ground(r = {1, 0, 0});
  Joints.Revolute crank(phi(start = 1, fixed = true), w(start = 6, fixed = true)), coupler(phi(start = -0.8)), rocker(phi(start = 1.5)), closing(phi(start = -0.5));
  Parts.Body body[3](each m = 1, r_CM = {{0.15, 0, 0}, {0.45, 0, 0}, {0.35, 0, 0}}, each I_11 = 0.001, each I_22 = 0.02, each I_33 = 0.02);
  Parts.FixedTranslation link[3](r = {{0.3, 0, 0}, {0.9, 0, 0}, {0.7, 0, 0}});
equation
  connect(world.frame_b, crank.frame_a);
  connect(crank.frame_b, link[1].frame_a);
  connect(crank.frame_b, body[1].frame_a);
  connect(link[1].frame_b, coupler.frame_a);
  connect(coupler.frame_b, link[2].frame_a);
  connect(coupler.frame_b, body[2].frame_a);
  connect(ground.frame_b, rocker.frame_a);
  connect(rocker.frame_b, link[3].frame_a);
  connect(rocker.frame_b, body[3].frame_a);
  connect(link[2].frame_b, closing.frame_a);
  connect(closing.frame_b, link[3].frame_b);
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end FourBar;
