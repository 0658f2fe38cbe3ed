model stops_bring_energy
  import Rattleback.*;
  inner World world;
  Joints.Revolute j(n = {0, 0, 1}, phi_min = -0.5, c_stop = 100, d_stop = -3);
  Parts.Body b(m = 1, r_CM = {0.5, 0, 0});
equation
  connect(world.frame_b, j.frame_a);
  connect(j.frame_b, b.frame_a);
end stops_bring_energy;
