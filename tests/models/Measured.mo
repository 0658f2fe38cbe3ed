package Measured "Sensors of what goes through connections and contacts"
  import Rattleback.*;

  model Arm "A motor turns an arm; what its bearing carries"
    inner World world(g = 9.81);
    Sensors.CutForceAndTorque foot(resolveInFrame = Types.ResolveInFrame.world);
    Joints.Revolute hinge(useAxisFlange = true, phi(start = 0.3, fixed = true), w(start = 0.5, fixed = true));
    Sensors.Power power;
    Sensors.CutForce back(resolveInFrame = Types.ResolveInFrame.world) "Drawn towards the world";
    Sensors.CutTorque turning;
    Parts.Body body(m = 2, r_CM = {0.5, 0, 0}, I_11 = 0.05, I_22 = 0.1, I_33 = 0.1);
    Rotational.Sources.ConstantTorque motor(tau_constant = 7);
  equation
    connect(world.frame_b, foot.frame_a);
    connect(foot.frame_b, hinge.frame_a);
    connect(hinge.frame_b, power.frame_a);
    connect(power.frame_b, back.frame_b);
    connect(back.frame_a, turning.frame_a);
    connect(turning.frame_b, body.frame_a);
    connect(motor.flange, hinge.axis);
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Arm;

  model Linkage "A four-bar linkage between two bearings"
    inner World world(g = 9.81);
    parameter Real m[3] = {1, 2, 1.5};
    Parts.Fixed ground(r = {1, 0, 0});
    Sensors.CutForce left(resolveInFrame = Types.ResolveInFrame.world), right(resolveInFrame = Types.ResolveInFrame.world);
    Joints.Revolute crank(phi(start = 0.5, fixed = true), w(start = 6, fixed = true)), coupler, rocker(phi(start = 1.8)), pin;
    Parts.FixedTranslation bar[3](r = {{0.3, 0, 0}, {0.9, 0, 0}, {0.7, 0, 0}});
    Parts.Body body[3](m = m, r_CM = {{0.15, 0, 0}, {0.45, 0, 0}, {0.35, 0, 0}}, each I_33 = 0.02);
    Parts.FixedTranslation middle[3](r = {{0.15, 0, 0}, {0.45, 0, 0}, {0.35, 0, 0}});
    Sensors.AbsoluteAcceleration a[3](each resolveInFrame = Types.ResolveInFrame.world);
  equation
    connect(world.frame_b, left.frame_a);
    connect(left.frame_b, crank.frame_a);
    connect(crank.frame_b, bar[1].frame_a);
    connect(bar[1].frame_b, coupler.frame_a);
    connect(coupler.frame_b, bar[2].frame_a);
    connect(ground.frame_b, right.frame_a);
    connect(right.frame_b, rocker.frame_a);
    connect(rocker.frame_b, bar[3].frame_a);
    connect(bar[2].frame_b, pin.frame_a);
    connect(bar[3].frame_b, pin.frame_b);
    for i in 1:3 loop
      connect(bar[i].frame_a, body[i].frame_a);
      connect(bar[i].frame_a, middle[i].frame_a);
      connect(middle[i].frame_b, a[i].frame_a);
    end for;
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end Linkage;

  model Sliding "A ball slides and rolls on a table"
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.Solid table(shape = Shapes.Box(4, 4, 0.1), r = {0, 0, -0.05}, fixed = true);
    Parts.Solid wall(shape = Shapes.Box(0.1, 4, 1), r = {3, 0, 0.5}, fixed = true);
    Parts.Solid ball(shape = Shapes.Sphere(0.1), mass = 4, r = {0, 0, 0.05}, v = {2, 0, 0});
    Sensors.Contact floor(a = "ball", b = "table"), any(a = "ball"), other(a = "ball", b = "wall"), table_feels(a = "table", b = "ball");
    annotation(experiment(StopTime = 0.5, Tolerance = 1e-9));
  end Sliding;

  model SlidingBlock "A block slides on a table, both as meshes, and stays"
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.Workpiece table(mesh = Solids.Box({4, 4, 0.1}), material = "DryWood", r = {-2, -2, -0.1}, fixed = true);
    Parts.Workpiece wall(mesh = Solids.Box({0.1, 4, 1}), material = "DryWood", r = {3, -2, 0.01}, fixed = true);
    Parts.Workpiece block_(mesh = Solids.translate(Solids.Box({0.2, 0.2, 0.1}), {-0.1, -0.1, -0.05}), material = "DryWood", mass = 4, r = {0, 0, 0.05}, v = {2, 0, 0});
    Materials.SurfacePair dry(a = "DryWood", b = "DryWood", form = Types.VolumeForm.potential, modulus = 1e8, length = 0.2, restitution = 0.3, slidingFriction = 0.4, slipSpeed = 1e-3);
    Sensors.Contact floor(a = "block_", b = "table"), any(a = "block_"), other(a = "block_", b = "wall"), table_feels(a = "table", b = "block_");
    annotation(experiment(StopTime = 0.8, Tolerance = 1e-8));
  end SlidingBlock;

  model Press "A controller presses a finger against a wall by the force that it feels"
    inner World world(gravityType = World.GravityType.NoGravity);
    parameter Real wanted(unit = "N") = 20;
    Joints.Prismatic slide(useAxisFlange = true, n = {1, 0, 0}, canCollide = true, s(fixed = true), v(fixed = true));
    Parts.Solid finger(shape = Shapes.Sphere(0.1), mass = 0.5);
    Parts.Solid wall(shape = Shapes.Box(0.1, 1, 1), r = {0.11, 0, 0}, fixed = true);
    Sensors.Contact touch(a = "finger");
    Translational.Sources.Force drive;
    Real I(start = 0, fixed = true, unit = "N.s");
  equation
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, finger.frame_a);
    connect(drive.flange, slide.axis);
    der(I) = wanted - touch.normalForce;
    drive.f = 0.5*(wanted - touch.normalForce) + 40*I - 20*slide.v;
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Press;

  model Defaults "What is not said is as in the standard library: gravity, and the axes of sensors"
    inner World world;
    Parts.Body body(m = 2, r_0(start = {1, 2, 3}));
    Parts.FixedRotation turned(angles = {0, 0, Rattleback.pi/2});
    Sensors.AbsolutePosition r;
    Sensors.AbsoluteVelocity v;
    Sensors.AbsoluteAcceleration a;
    Sensors.AbsoluteAngularVelocity w;
    Sensors.AbsoluteAngularAcceleration z;
  equation
    connect(body.frame_a, turned.frame_a);
    connect(turned.frame_b, r.frame_a);
    connect(turned.frame_b, v.frame_a);
    connect(turned.frame_b, a.frame_a);
    connect(turned.frame_b, w.frame_a);
    connect(turned.frame_b, z.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Defaults;
end Measured;
