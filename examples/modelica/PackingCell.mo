// A robot takes parts from a conveyor, puts them into a box that stands on a soft mat, and a bucket of grains is tipped over them.
// options: --initial-step 3e-4
// plot: axis[1].phi axis[2].phi part[1].r_0[3] part[2].r_0[3] part[3].r_0[3]
model PackingCell "Motor drives, contact, variable structure, a soft body and grains in one model"
  import Rattleback.*;

  constant Real pi = 3.14159265358979;
  constant Real l(unit = "m") = 0.5 "Upper arm and forearm";
  constant Real shoulder(unit = "m") = 0.45, hand(unit = "m") = 0.15 "Heights: of the shoulder, and from the tool to the wrist";
  constant Real s(unit = "m") = 0.08 "Parts";

  function reach "Angles of the four axes at which the tool is at r and points down"
    input Real r[3](each unit = "m");
    output Real q[4](each unit = "rad");
  protected
    Real rho = sqrt(r[1]^2 + r[2]^2), h = r[3] + hand - shoulder;
    Real gamma = atan2(h, rho), beta = acos(sqrt(rho^2 + h^2)/(2*l));
  algorithm
    q := {atan2(r[2], r[1]), -(gamma + beta), 2*beta, gamma - beta};
  end reach;

  function go "A row of the path: where the tool, the belt and the bucket are"
    input Real r[3](each unit = "m");
    input Real belt(unit = "m"), tilt(unit = "rad") = 0;
    output Real q[6];
  algorithm
    q := cat(1, reach(r), {belt, tilt});
  end go;

  model Axis "A driven hinge: the controller of the position around that of the speed, motor and gear"
    outer World world;
    Interfaces.Frame_a frame_a;
    Interfaces.Frame_b frame_b;
    Blocks.Interfaces.RealInput reference(unit = "rad"), speed(unit = "rad/s");
    parameter Real n[3] = {0, 0, 1} "Axis";
    parameter Real start(unit = "rad") = 0;
    parameter Real J(unit = "kg.m2") = 1e-4 "Of the motor";
    parameter Real ratio = 100 "Of the gear";
    parameter Real k1(unit = "1/s") = 30 "Position to speed";
    parameter Real k2(unit = "N.m.s/rad") = 0.05 "Speed to torque";
    parameter Real T2(unit = "s") = 0.05 "Reset time";
    Real phi(unit = "rad") = hinge.phi;
    Joints.Revolute hinge(n = n, useAxisFlange = true, phi(start = start, fixed = true), w(fixed = true));
    Rotational.Components.Inertia motor(J = J);
    Rotational.Components.IdealGear gear(ratio = ratio);
    Rotational.Sources.Torque torque;
    Real error(unit = "rad/s") "Of the speed of the motor";
    Real integral(unit = "rad", start = 0, fixed = true);
  equation
    connect(frame_a, hinge.frame_a);
    connect(hinge.frame_b, frame_b);
    connect(torque.flange, motor.flange_a);
    connect(motor.flange_b, gear.flange_a);
    connect(gear.flange_b, hinge.axis);
    error = ratio*(k1*(reference - phi) + speed) - motor.w;
    der(integral) = error;
    torque.tau = k2*(error + integral/T2);
  end Axis;

  model Tub "Four walls and a bottom; frame_a in the middle of the bottom's upper side"
    Interfaces.Frame_a frame_a;
    outer World world;
    parameter Real a(unit = "m") = 0.3, b(unit = "m") = 0.3, h(unit = "m") = 0.15, t(unit = "m") = 0.012 "Inside, and thickness";
    parameter String material = "DryWood";
    parameter Real color[3] = {190, 150, 100}, transparency = 0;
    parameter Real r[3](each unit = "m") = zeros(3) "Where it starts, if it moves freely";
    parameter Real offset[3](each unit = "m") = zeros(3) "From frame_a";
    Parts.Solid side[5](shape = {Shapes.Box(a + 2*t, b + 2*t, t), Shapes.Box(t, b, h), Shapes.Box(t, b, h), Shapes.Box(a + 2*t, t, h), Shapes.Box(a + 2*t, t, h)},
      r_shape = fill(offset, 5) + [0, 0, -t/2; -(a + t)/2, 0, h/2; (a + t)/2, 0, h/2; 0, -(b + t)/2, h/2; 0, (b + t)/2, h/2], each material = material, each r = r,
      each color = color, each transparency = transparency);
  equation
    for i in 1:5 loop
      connect(frame_a, side[i].frame_a);
    end for;
  end Tub;

  inner World world(gravity = {0, 0, -9.81}, elasticContactReductionFactor = 1e-4) "Contacts are softer than wood, for the sake of speed";
  // The robot: a column, two links and a hand with a suction cup
  Axis axis[4](n = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}}, start = home[1:4], J = {4e-4, 4e-4, 2e-4, 5e-5});
  Parts.BodyShape column(r = {0, 0, shoulder}, m = 12, r_CM = {0, 0, 0.3}, I_11 = 0.2, I_22 = 0.2, I_33 = 0.1, shape = Shapes.Cylinder(0.14, shoulder - 0.08, 3), r_shape = {0, 0, shoulder/2 + 0.04}, color = {235, 120, 30});
  Parts.BodyShape upper(r = {l, 0, 0}, m = 5, r_CM = {l/2, 0, 0}, I_11 = 0.01, I_22 = 0.12, I_33 = 0.12, shape = Shapes.Beam(l, 0.11, 0.07, 1), r_shape = {l/2, 0.085, 0}, angles_shape = {pi/2, 0, 0}, color = {235, 120, 30});
  Parts.BodyShape fore(r = {l, 0, 0}, m = 3, r_CM = {l/2, 0, 0}, I_11 = 0.01, I_22 = 0.08, I_33 = 0.08, shape = Shapes.Beam(l, 0.09, 0.06, 1), r_shape = {l/2, 0.01, 0}, angles_shape = {pi/2, 0, 0}, color = {240, 150, 60});
  Parts.BodyShape wrist(r = {0, 0, -hand}, m = 1, r_CM = {0, 0, -hand/2}, I_11 = 0.004, I_22 = 0.004, I_33 = 0.002, shape = Shapes.Cylinder(0.05, hand - 0.02, 3), r_shape = {0, 0, -hand/2 + 0.01}, color = {70, 75, 80});
  Parts.Visual cup(shape = Shapes.Cone(0.06, 0.02, 3, 0.035), r_shape = {0, 0, 0}, color = {30, 30, 35});
  Parts.Solid foot(shape = Shapes.Cylinder(0.3, 0.08, 3), r = {0, 0, 0.04}, fixed = true, collidable = false, color = {70, 75, 80});
  // The conveyor: friction takes the parts along
  Parts.Fixed rail(r = {0, -0.6, 0.3});
  Joints.Prismatic slide(n = {1, 0, 0}, useAxisFlange = true, canCollide = true);
  Parts.Solid belt(shape = Shapes.Box(1.8, 0.2, 0.02), r_shape = {-0.5, 0, -0.01}, material = "DryWood", color = {50, 55, 60});
  Translational.Sources.Speed beltDrive;
  Parts.Solid part[3](each shape = Shapes.Box(s, s, s), each material = "DryWood", r = {{-0.3 - 0.2*i, -0.6, 0.3 + s/2} for i in 1:3},
    color = {{63, 120, 181}, {184, 64, 63}, {60, 157, 132}});
  Parts.Solid frame[2](each shape = Shapes.Box(2.8, 0.02, 0.06), r = {{-0.05, -0.6 - 0.12, 0.27}, {-0.05, -0.6 + 0.12, 0.27}}, each fixed = true, each collidable = false, each color = {150, 160, 170});
  Parts.Solid leg[4](each shape = Shapes.Box(0.04, 0.04, 0.26), r = {{-1.35, -0.72, 0.13}, {-1.35, -0.48, 0.13}, {1.25, -0.72, 0.13}, {1.25, -0.48, 0.13}}, each fixed = true, each collidable = false, each color = {150, 160, 170});
  // The box on its mat
  Parts.Fixed table(r = {0.65, 0, 0.1});
  Parts.Solid plate(shape = Shapes.Box(0.5, 0.5, 0.1), r = {0.65, 0, 0.05}, fixed = true, collidable = false, color = {200, 205, 210});
  Parts.SoftBody mat(points = {0.08*{mod(i, 5) - 2, mod(div(i, 5), 5) - 2, div(i, 25)} for i in 0:74}, fixedPoints = 1:25,
    gridSize = 0.08, E = 1e5, rho = 500, zeta = 0.2, mu = 0.6, color = {60, 157, 132});
  Tub box(r = {0.65, 0, 0.336}, a = 0.32, b = 0.32, h = 0.14, color = {205, 160, 105}, transparency = 0.45);
  Parts.Body load(m = 0.1, I_11 = 1e-4, I_22 = 1e-4, I_33 = 1e-4);
  // The bucket, and what is in it
  Parts.Fixed stand(r = {0.9, 0, 0.63});
  Axis tipping(n = {0, -1, 0}, J = 2e-4);
  Tub bucket(a = 0.2, b = 0.2, h = 0.18, offset = {0.11, 0, -0.14}, material = "Steel", color = {120, 130, 140}, transparency = 0.3);
  Particles.Rain grains(n = 120, rate = 120, startTime = 6.8, rho = 100, E = 1e9, mu_r = 0.1, radius = 0.015, spread = 0.2, low = {0.93, -0.08, 0.68}, high = {1.1, 0.08, 0.78}, color = {227, 190, 90});
  Particles.BoxSensor inBox(low = {0.48, -0.17, 0.28}, high = {0.82, 0.17, 0.58});
  parameter Real home[6] = go({0.35, -0.35, 0.75}, 0);
  Actions.ReferencePath path(q_start = home, v_max = {4, 4, 4, 4, 0.5, 3}, a_max = {14, 14, 14, 14, 1.5, 8});
  Actions.ModelActions actions;
equation
  connect(world.frame_b, axis[1].frame_a);
  connect(axis[1].frame_b, column.frame_a);
  connect(column.frame_b, axis[2].frame_a);
  connect(axis[2].frame_b, upper.frame_a);
  connect(upper.frame_b, axis[3].frame_a);
  connect(axis[3].frame_b, fore.frame_a);
  connect(fore.frame_b, axis[4].frame_a);
  connect(axis[4].frame_b, wrist.frame_a);
  connect(wrist.frame_b, cup.frame_a);
  connect(rail.frame_b, slide.frame_a);
  connect(slide.frame_b, belt.frame_a);
  connect(beltDrive.flange, slide.axis);
  connect(table.frame_b, mat.frame_a);
  connect(box.frame_a, load.frame_a);
  connect(stand.frame_b, tipping.frame_a);
  connect(tipping.frame_b, bucket.frame_a);
  axis.reference = path.q[1:4];
  axis.speed = path.qd[1:4];
  beltDrive.v_ref = path.qd[5];
  tipping.reference = path.q[6];
  tipping.speed = path.qd[6];
  when initial() then
    for i in 1:3 loop
      Actions.ptpJointSpace(actions, "path", {go({0.1, -0.55, 0.55}, 0.3 + 0.2*i), go({0, -0.6, 0.302 + s}, 0.3 + 0.2*i)});
      Actions.attach(actions, "part[" + String(i) + "]", "wrist");
      Actions.ptpJointSpace(actions, "path", {go({0, -0.6, 0.55}, 0.3 + 0.2*i), go({0.65, 0.1*(2 - i), 0.62}, 0.3 + 0.2*i), go({0.65, 0.1*(2 - i), 0.342 + s}, 0.3 + 0.2*i)});
      Actions.release(actions, "part[" + String(i) + "]");
      Actions.ptpJointSpace(actions, "path", {go({0.65, 0.1*(2 - i), 0.62}, 0.3 + 0.2*i)});
    end for;
    Actions.ptpJointSpace(actions, "path", {go({0.35, -0.35, 0.75}, 0.9), go({0.35, -0.35, 0.75}, 0.9, 2)});
  end when;
  annotation(experiment(StopTime = 10.4, Tolerance = 1e-4));
end PackingCell;
