// The lower stage lifts both for 10 s and is dropped; the upper one coasts for 2 s and burns for 8 s.
// plot: lower.r_0[3] upper.r_0[3]
model TwoStageRocket "The lower stage burns for 10 s and is dropped; the upper one goes on"
  import Rattleback.*;
  inner World world(gravity = {0, 0, -9.81}, contact = false);
  Parts.Body lower(m = 200, I_11 = 300, I_22 = 300, I_33 = 50);
  Parts.Body upper(m = 50, I_11 = 60, I_22 = 60, I_33 = 10, r_0(start = {0, 0, 8}));
  Forces.WorldForce engine1, engine2;
  Actions.Attach stack(at = 0, a = "lower", b = "upper");
  Actions.Release separate(at = 10, a = "lower", b = "upper");
equation
  connect(engine1.frame_b, lower.frame_a);
  connect(engine2.frame_b, upper.frame_a);
  engine1.force = {0, 0, if time < 10 then 5000 else 0};
  engine2.force = {0, 0, if time >= 12 and time < 20 then 1500 else 0};
  annotation(experiment(StopTime = 25, Tolerance = 1e-9));
end TwoStageRocket;
