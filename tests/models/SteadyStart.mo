package SteadyStart "Bodies that start at rest where forces balance (test_steady_start.c)"
  import Rattleback.*;

  model Table
    inner World world(g = 9.81, n = {0, 0, -1}, steadyStart = true);
    Parts.Solid table(shape = Shapes.Box(2, 2, 0.1), material = "Steel", fixed = true, r = {0, 0, -0.05});
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Table;

  model Sphere "As deep as Hertz says; set down a little too high"
    extends Table;
    Parts.Solid ball(shape = Shapes.Sphere(0.1), material = "Steel", r = {0.3, 0.2, 0.0501});
  end Sphere;

  model Stack "Boxes, a cylinder and a ball on each other, out of line"
    extends Table;
    Parts.Solid a(shape = Shapes.Box(0.2, 0.2, 0.1), material = "Steel", r = {0.3, 0, 0.05});
    Parts.Solid b(shape = Shapes.Box(0.2, 0.2, 0.1), material = "DryWood", contactMaterial = "Steel", r = {0.32, 0, 0.15});
    Parts.Solid c(shape = Shapes.Cylinder(diameter = 0.1, length = 0.1, axis = 3), material = "Steel", r = {0.33, 0.02, 0.25});
    Parts.Solid lying(shape = Shapes.Cylinder(diameter = 0.1, length = 0.3, axis = 1), material = "Steel", r = {-0.4, 0, 0.05});
    Sensors.Contact floor(a = "table"), on_a(a = "a", b = "b"), on_b(a = "b", b = "c");
  end Stack;

  model Balls "One on two others, which lean on walls"
    extends Table;
    Parts.Solid left(shape = Shapes.Box(0.1, 1, 1), material = "Steel", r = {-0.05, 0, 0.5}, fixed = true);
    Parts.Solid right(shape = Shapes.Box(0.1, 1, 1), material = "Steel", r = {0.25, 0, 0.5}, fixed = true);
    Parts.Solid ball[3](each shape = Shapes.Sphere(0.1), each material = "Steel",
      r = {{0.05, 0, 0.05}, {0.15, 0, 0.05}, {0.1, 0, 0.05 + 0.1*sqrt(0.75)}});
    Sensors.Contact floor(a = "table"), wall(a = "left");
  end Balls;

  model Springs "Two bodies in a row, one of them moves freely"
    inner World world(g = 9.81, n = {0, 0, -1}, steadyStart = true);
    Joints.Prismatic slide(n = {0, 0, 1});
    Parts.Body upper(m = 2);
    Parts.Solid lower(shape = Shapes.Sphere(0.1), mass = 3, r = {0, 0, -1});
    Parts.Fixed top(r = {0, 0, 1});
    Forces.Spring one(c = 400, s_unstretched = 1), two(c = 100, s_unstretched = 1);
  equation
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, upper.frame_a);
    connect(top.frame_b, one.frame_a);
    connect(one.frame_b, upper.frame_a);
    connect(upper.frame_a, two.frame_a);
    connect(two.frame_b, lower.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Springs;

  model Arm "A motor behind a gear holds a part of its weight, a post the rest"
    inner World world(g = 9.81, n = {0, 0, -1}, steadyStart = true);
    Joints.Revolute hinge(n = {0, 1, 0}, useAxisFlange = true, canCollide = true);
    Parts.Solid arm(shape = Shapes.Box(1, 0.1, 0.1), material = "Steel", r_shape = {0.5, 0, 0});
    Parts.Solid post(shape = Shapes.Sphere(0.2), material = "Steel", r = {0.9, 0, -0.15}, fixed = true);
    Rotational.Components.IdealGear gear(ratio = 50);
    Rotational.Components.Inertia motor(J = 1e-3);
    Rotational.Components.SpringDamper holder(c = 0.1, d = 0.01, phi_rel0 = 40);
    Rotational.Components.Fixed housing;
    Sensors.Contact touch(a = "arm", b = "post");
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, arm.frame_a);
    connect(hinge.axis, gear.flange_b);
    connect(gear.flange_a, motor.flange_a);
    connect(motor.flange_b, holder.flange_a);
    connect(holder.flange_b, housing.flange);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Arm;

  model Servo "A controller with an integrator and a filter, and a clock that has nothing to do with it"
    inner World world(g = 9.81, n = {0, 0, -1}, steadyStart = true);
    parameter Real goal = 0.1;
    parameter Boolean blocked = false;
    Joints.Revolute hinge(n = {0, 1, 0}, useAxisFlange = true, canCollide = true);
    Parts.Solid arm(shape = Shapes.Box(1, 0.1, 0.1), material = "Steel", r_shape = {0.5, 0, 0});
    Parts.Solid post(shape = Shapes.Sphere(0.2), material = "Steel", r = {0.9, 0, if blocked then -0.15 else -1.5}, fixed = true);
    Rotational.Components.IdealGear gear(ratio = 50);
    Rotational.Components.Inertia motor(J = 1e-3);
    Rotational.Sources.Torque drive;
    Real sum, filtered, clock;
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, arm.frame_a);
    connect(hinge.axis, gear.flange_b);
    connect(gear.flange_a, motor.flange_a);
    connect(drive.flange, motor.flange_b);
    der(sum) = 3*(goal - hinge.phi);
    0.05*der(filtered) = 10*sum + 30*(goal - hinge.phi) - filtered;
    drive.tau = filtered - 0.05*motor.w;
    der(clock) = 1;
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Servo;

  model Loop "A four-bar linkage hangs down"
    inner World world(g = 9.81, steadyStart = true);
    Joints.Revolute j1(phi(start = -0.5)), j2(phi(start = 0.5)), j3(phi(start = -0.5)), j4(phi(start = -0.5));
    Parts.Body a(m = 1, r_CM = {0.25, 0, 0}), b(m = 2, r_CM = {0.5, 0, 0}), c(m = 1, r_CM = {0.25, 0, 0});
    Parts.FixedTranslation ab(r = {0.5, 0, 0}), bb(r = {1, 0, 0}), cb(r = {0.5, 0, 0});
    Parts.Fixed other(r = {1, 0, 0});
  equation
    connect(world.frame_b, j1.frame_a);
    connect(j1.frame_b, a.frame_a);
    connect(j1.frame_b, ab.frame_a);
    connect(ab.frame_b, j2.frame_a);
    connect(j2.frame_b, b.frame_a);
    connect(j2.frame_b, bb.frame_a);
    connect(bb.frame_b, j3.frame_a);
    connect(other.frame_b, j4.frame_a);
    connect(j4.frame_b, c.frame_a);
    connect(j4.frame_b, cb.frame_a);
    connect(cb.frame_b, j3.frame_b);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Loop;

  model HeldByFriction "Gravity is aslant; faces stick"
    extends Table(world(gravity = {1, 0, -9.81}));
    Parts.Solid box(shape = Shapes.Box(0.2, 0.2, 0.1), material = "Steel", r = {0.3, 0, 0.05});
    Sensors.Contact floor(a = "table");
  end HeldByFriction;

  model Falling "One lies, one was put into the air, one is thrown"
    extends Table;
    Parts.Solid lies(shape = Shapes.Sphere(0.1), material = "Steel", r = {0.3, 0, 0.05});
    Parts.Solid high(shape = Shapes.Sphere(0.1), material = "Steel", r = {0.7, 0, 0.35});
    Parts.Solid thrown(shape = Shapes.Sphere(0.1), material = "Steel", r = {-0.7, 0, 0.35}, v = {0, 0, 1});
    annotation(experiment(StopTime = 0.1, Tolerance = 1e-8));
  end Falling;

  model Rolling "Nothing holds a ball on a slope"
    extends Table(world(gravity = {1, 0, -9.81}));
    Parts.Solid ball(shape = Shapes.Sphere(0.1), mass = 4, r = {0.3, 0, 0.05});
  end Rolling;

  model Fixed "The user wants it where it cannot stay"
    inner World world(g = 9.81, steadyStart = true);
    Joints.Revolute hinge(phi(start = 0, fixed = true));
    Parts.Body rod(m = 2, r_CM = {0.5, 0, 0});
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, rod.frame_a);
  end Fixed;

  // What initial equations say of accelerations, without the option of the world.

  model Angles "Two angles at which springs hold two rods"
    inner World world(g = 9.81);
    Joints.Revolute one(useAxisFlange = true, phi(start = -1), w(fixed = true)), two(useAxisFlange = true, phi(start = 0.1), w(fixed = true));
    Parts.Body upper(m = 2, r_CM = {0.5, 0, 0}), lower(m = 1, r_CM = {0.5, 0, 0});
    Parts.FixedTranslation rod(r = {1, 0, 0});
    Rotational.Components.Spring s1(c = 30), s2(c = 10);
    Rotational.Components.Fixed housing;
  initial equation
    one.a = 0;
    two.a = 0;
  equation
    connect(world.frame_b, one.frame_a);
    connect(one.frame_b, upper.frame_a);
    connect(one.frame_b, rod.frame_a);
    connect(rod.frame_b, two.frame_a);
    connect(two.frame_b, lower.frame_a);
    connect(housing.flange, s1.flange_a);
    connect(s1.flange_b, one.axis);
    connect(two.support, s2.flange_a);
    connect(s2.flange_b, two.axis);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Angles;

  model Torque "A parameter: the torque that holds a rod"
    inner World world(g = 9.81);
    parameter Real tau(fixed = false, start = 1);
    Joints.Revolute hinge(useAxisFlange = true, phi(start = 0.5, fixed = true), w(fixed = true));
    Parts.Body rod(m = 2, r_CM = {0.5, 0, 0});
    Rotational.Sources.Torque drive;
  initial equation
    hinge.a = 0;
  equation
    drive.tau = tau;
    connect(drive.flange, hinge.axis);
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, rod.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Torque;

  model Slide "A length of a spring in space"
    inner World world(g = 9.81, n = {0, 0, -1});
    Joints.Prismatic slide(n = {0, 0, 1}, v(fixed = true));
    Parts.Body body(m = 2);
    Parts.Fixed top(r = {0, 0, 1});
    Forces.Spring spring(c = 100, s_unstretched = 1);
  initial equation
    slide.a = 0;
  equation
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, body.frame_a);
    connect(top.frame_b, spring.frame_a);
    connect(spring.frame_b, body.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Slide;

  model Thrust "A parameter: the force on which a body floats"
    inner World world(g = 9.81, n = {0, 0, -1});
    parameter Real f(fixed = false, start = 1);
    Parts.Body body(m = 2);
    Forces.WorldForce thrust;
    Sensors.AbsoluteAcceleration sensor(resolveInFrame = Types.ResolveInFrame.world);
  initial equation
    sensor.a[3] = 0;
  equation
    thrust.force = {0, 0, f};
    connect(thrust.frame_b, body.frame_a);
    connect(sensor.frame_a, body.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Thrust;

  model HungFreely "Bodies without joints: one on a rod, one on a point, both on the world"
    inner World world(g = 9.81, n = {0, 0, -1}, steadyStart = true);
    Parts.FixedTranslation hook(r = {2, 0, 0});
    Joints.SphericalSpherical rod(rodLength = 0.5);
    Parts.PointMass ball(m = 2, r_0(start = {0.3, 0, -0.4}));
    Joints.Constraints.Spherical point;
    Parts.Body bell(m = 1, r_CM = {0.3, 0, -0.4}, r_0(start = {2, 0, 0}));
  equation
    connect(world.frame_b, rod.frame_a);
    connect(rod.frame_b, ball.frame_a);
    connect(world.frame_b, hook.frame_a);
    connect(hook.frame_b, point.frame_a);
    connect(point.frame_b, bell.frame_a);
  end HungFreely;

  model HungAside "The ball is fixed where it cannot rest"
    extends HungFreely(ball(r_0(each fixed = true)));
  end HungAside;

  model OnRails "A shaft of a mesh on two rails: its centre is the origin up to rounding"
    inner World world(g = 9.81, n = {0, 0, -1}, steadyStart = true);
    parameter Real pi = 3.14159265358979323846;
    Parts.Workpiece left(mesh = Solids.translate(Solids.Box({1, 0.05, 0.1}), {-0.5, -0.025, -0.1}), material = "Steel", r = {0, -0.2, 0}, fixed = true);
    Parts.Workpiece right(mesh = Solids.translate(Solids.Box({1, 0.05, 0.1}), {-0.5, -0.025, -0.1}), material = "Steel", r = {0, 0.1, 0}, fixed = true);
    Parts.Workpiece shaft(mesh = Solids.translate(Solids.rotate(Solids.Cylinder(0.05, 0.6), {-pi/2, 0, 0}), {0, -0.3, 0}), material = "Steel", r = {0, 0, 0.05});
    annotation(experiment(StopTime = 0.1));
  end OnRails;

  model Topples "The slope is beyond half the width over half the height: there is no rest"
    parameter Real slope = 0.3218 + 0.0008;
    inner World world(gravity = {9.81*sin(slope), 0, -9.81*cos(slope)}, steadyStart = true);
    Materials.Pair pair(a = "Steel", b = "Steel", restitution = 0, slidingFriction = 1);
    Parts.Workpiece plate(mesh = Solids.Box({4, 1, 0.2}), r = {-1, -0.5, -0.2}, fixed = true);
    Parts.Workpiece post(mesh = Solids.translate(Solids.Box({0.1, 0.1, 0.3}), {-0.05, -0.05, -0.15}), r = {0, 0, 0.15});
    annotation(experiment(StopTime = 0.01));
  end Topples;

  model LoadedInTheMiddle "A flexible beam that carries a mass halfway, at the origin of its frame"
    inner World world(g = 9.81, n = {0, -1, 0}, contact = false, steadyStart = true);
    Parts.FlexibleBody beam(shape = Shapes.Box(1, 0.02, 0.02), gridSize = {0.05, 0.01, 0.01}, E = 1e10, nu = 0, density = 1000,
      interfaces = {Parts.Interface(r = {-0.5, 0, 0}), Parts.Interface(r = {0, 0, 0})});
    Parts.PointMass load(m = 1);
    Sensors.RelativePosition sag;
  equation
    connect(world.frame_b, beam.frames[1]);
    connect(beam.frames[2], load.frame_a);
    connect(world.frame_b, sag.frame_a);
    connect(beam.frames[2], sag.frame_b);
    annotation(experiment(StopTime = 0.01, Tolerance = 1e-8));
  end LoadedInTheMiddle;
end SteadyStart;
