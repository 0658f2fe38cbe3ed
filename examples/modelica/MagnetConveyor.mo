// Parts come on a belt; a magnet above it switches on whenever one is below, lifts it, carries it aside and puts it down beside.
// plot: part[1].r_0[1] part[1].r_0[3] part[2].r_0[1] part[2].r_0[3]
model MagnetConveyor "The model itself decides when a part is taken"
  import Rattleback.*;
  inner World world(gravity = {0, 0, -9.81});
  constant Integer n = 3 "Parts";
  parameter Real speed(unit = "m/s") = 0.4 "Of the belt";
  // Every part lies on a slide of the belt until the magnet takes it.
  Joints.Prismatic belt(n = {1, 0, 0}, s(start = 0), v(start = speed));
  Parts.Body slides(m = 1, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1);
  Parts.Solid part[n](each shape = Shapes.Box(0.1, 0.1, 0.1), each mass = 0.5, each material = "DryWood", r = {{-0.8*i, 0, 0.05} for i in 1:n}, each v = {speed, 0, 0});
  Parts.Solid bin(shape = Shapes.Box(0.4, 1.2, 0.1), material = "DryWood", r = {0, 1, 0}, fixed = true);
  Joints.Prismatic side(n = {0, 1, 0}, useAxisFlange = true), lift(n = {0, 0, 1}, useAxisFlange = true);
  Parts.Body carriage(m = 2, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1), magnet(m = 1, I_11 = 0.01, I_22 = 0.01, I_33 = 0.01);
  Translational.Sources.Position sideDrive, liftDrive;
  Sensors.AbsolutePosition where[n](each resolveInFrame = Types.ResolveInFrame.world);
  Actions.ReferencePath path(q_start = {0, 0.15}, v_max = {3, 2}, a_max = {20, 20});
  Actions.ModelActions actions;
equation
  connect(world.frame_b, belt.frame_a);
  connect(belt.frame_b, slides.frame_a);
  connect(world.frame_b, side.frame_a);
  connect(side.frame_b, carriage.frame_a);
  connect(carriage.frame_a, lift.frame_a);
  connect(lift.frame_b, magnet.frame_a);
  connect(sideDrive.flange, side.axis);
  connect(liftDrive.flange, lift.axis);
  sideDrive.s_ref = path.q[1];
  liftDrive.s_ref = path.q[2];
  connect(where.frame_a, part.frame_a);
algorithm
  when initial() then
    for i in 1:n loop
      Actions.attach(actions, "part[" + String(i) + "]", "slides");
    end for;
  end when;
  for i in 1:n loop
    when where[i].r[1] > 0 and where[i].r[2] < 0.1 then
      Actions.releaseAndAttach(actions, "part[" + String(i) + "]", "magnet");
      Actions.ptpJointSpace(actions, "path", [0, 0.3; 0.4 + 0.3*i, 0.3; 0.4 + 0.3*i, 0.201]);
      Actions.release(actions, "part[" + String(i) + "]");
      Actions.ptpJointSpace(actions, "path", [0.4 + 0.3*i, 0.3; 0, 0.3; 0, 0.15]);
    end when;
  end for;
  annotation(experiment(StopTime = 8, Tolerance = 1e-6));
end MagnetConveyor;
