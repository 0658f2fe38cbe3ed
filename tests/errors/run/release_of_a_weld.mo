model Catapult
  import Rattleback.*;
  inner World world;
  Joints.Revolute hinge(w(start = 3));
  Parts.BodyBox arm(r = {0.5, 0, 0});
  Parts.Body stone(m = 1, I_11 = 0.01, I_22 = 0.01, I_33 = 0.01);
  Actions.Release shoot(a = "stone", at = 0.2);
equation
  connect(world.frame_b, hinge.frame_a);
  connect(hinge.frame_b, arm.frame_a);
  connect(arm.frame_b, stone.frame_a);
end Catapult;
