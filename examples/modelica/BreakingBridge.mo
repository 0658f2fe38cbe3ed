// A bridge of planks between two walls, hinged to each other. Every hinge holds 3 kN; weights are put on one plank after another, until one
// hinge breaks, and then the others under what is left.
// plot: plank[2].r_0[3] plank[4].r_0[3] pull[1] pull[5]
model BreakingBridge "Members break one after another"
  import Rattleback.*;
  inner World world(gravity = {0, 0, -9.81}, contact = false);
  constant Integer n = 5 "Planks";
  parameter Real l(unit = "m") = 1 "Of a plank";
  parameter Real limit(unit = "N") = 3000 "What a hinge holds";
  parameter Real span(unit = "m") = 4.8 "Between the walls";
  Parts.Fixed right(r = {span, 0, 0});
  Joints.Revolute hinge[n + 1](each n = {0, -1, 0}, phi(start = {-0.28, 0.14, 0.14, 0, 0.14, 0.14}), each d = 20);
  Sensors.CutForce cut[n];
  Parts.BodyShape plank[n](each r = {l, 0, 0}, each m = 40, each r_CM = {l/2, 0, 0}, each I_11 = 1, each I_22 = 4, each I_33 = 4, each shape = Shapes.Box(1, 0.8, 0.05),
    each r_shape = {l/2, 0, 0});
  Forces.WorldForce weight[n];
  Actions.ModelActions actions;
  Real pull[n](each unit = "N") = {sqrt(cut[i].force*cut[i].force) for i in 1:n};
equation
  connect(world.frame_b, hinge[1].frame_a);
  for i in 1:n loop
    connect(hinge[i].frame_b, cut[i].frame_a);
    connect(cut[i].frame_b, plank[i].frame_a);
    connect(plank[i].frame_b, hinge[i + 1].frame_a);
    connect(weight[i].frame_b, plank[i].frame_b);
    weight[i].force = {0, 0, -800*max(0, min(1, time - i))};
    when pull[i] > limit then
      Actions.breakJoint(actions, "hinge[" + String(i) + "]");
    end when;
  end for;
  connect(hinge[n + 1].frame_b, right.frame_b);
  annotation(experiment(StopTime = 6, Tolerance = 1e-7));
end BreakingBridge;
