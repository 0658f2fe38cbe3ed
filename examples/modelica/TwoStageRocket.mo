// Two stages of a rocket are attached to each other; the first one lifts both for 5 s, is released, and is deleted 5 s later
// (thesis, section 12.1 and Fig. 12.2).
// plot: stage1.body.r_0[2] stage2.body.r_0[2] stage1.body.v_0[2] stage2.body.v_0[2] stage1.thrust.force[2] stage2.thrust.force[2]
model TwoStageRocket "A program of actions: attach, release, delete"
  import Rattleback.*;

  model RocketStage "Mass, a frame at either end, and thrust at the bottom"
    parameter Real L(unit = "m") = 1 "Length";
    parameter Real m(unit = "kg") = 100 "Mass";
    parameter Real r_init[3](each unit = "m") "At the start";
    Parts.Body body(m = m, I_11 = 1, I_22 = 1, I_33 = 1, r_0(start = r_init));
    Parts.FixedTranslation bottom(r = {0, -L/2, 0}), top(r = {0, L/2, 0});
    Forces.WorldForce thrust;
  equation
    connect(body.frame_a, bottom.frame_a);
    connect(body.frame_a, top.frame_a);
    connect(thrust.frame_b, bottom.frame_b);
  end RocketStage;

  inner World world(gravity = {0, -9.81, 0}, contact = false);
  RocketStage stage1(L = 2, r_init = {0, 1, 0}), stage2(L = 1, r_init = {0, 2.5, 0});
  Actions.ModelActions actions;
equation
  stage1.thrust.force = {0, if time < 5 then 1e4*(1 - time/5) else 0, 0};
  stage2.thrust.force = {0, if time >= 5 and time < 15 then 2000*(15 - time)/10 else 0, 0};
  when initial() then
    // segment 2
    Actions.attach(actions, "stage1.top", "stage2.bottom");
    Actions.eventAfterPeriod(actions, 5);
    // segment 3
    Actions.release(actions, "stage1.top");
    Actions.eventAfterPeriod(actions, 5);
    // segment 4
    Actions.delete(actions, "stage1.top");
  end when;
  annotation(experiment(StopTime = 15, Tolerance = 1e-10));
end TwoStageRocket;
