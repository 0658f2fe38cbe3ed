// A pendulum whose pin holds 50 N: released from the horizontal it breaks where the pull 3 m g cos(phi) reaches that, and the bob flies on.
// plot: bob.r_0[1] bob.r_0[2] tension
model BreakingPendulum "A joint that breaks when it carries too much"
  import Rattleback.*;
  inner World world(gravity = {0, -9.81, 0}, contact = false);
  parameter Real limit(unit = "N") = 50 "What the pin holds";
  Joints.Revolute pin(n = {0, 0, 1}, phi(start = 1.5707963267948966));
  Sensors.CutForce cut;
  Parts.FixedTranslation rod(r = {0, -1, 0});
  Parts.Body bob(m = 2, I_11 = 1e-9, I_22 = 1e-9, I_33 = 1e-9);
  Actions.ModelActions actions;
  Real tension(unit = "N") = sqrt(cut.force*cut.force);
equation
  connect(world.frame_b, pin.frame_a);
  connect(pin.frame_b, cut.frame_a);
  connect(cut.frame_b, rod.frame_a);
  connect(rod.frame_b, bob.frame_a);
  when tension > limit then
    Actions.breakJoint(actions, "pin");
  end when;
  annotation(experiment(StopTime = 1, Tolerance = 1e-10));
end BreakingPendulum;
