package Mechanics "Bodies, joints and drives in one model"
  import Rattleback.*;

  partial model Arm "A body on a hinge, that swings under gravity along -y"
    inner World world(g = 9.81);
    replaceable Joints.Revolute hinge(phi(start = 0.3, fixed = true), w(start = 0, fixed = true)) constrainedby Joints.Revolute;
    Parts.Body body(m = 2, r_CM = {0.5, 0, 0}, I_11 = 0.05, I_22 = 0.1, I_33 = 0.1);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end Arm;

  model Swing "The joint belongs to the component"
    extends Arm;
  end Swing;

  model Watched "Somebody speaks of its angle: the joint belongs to the equations"
    extends Arm;
    Real height(unit = "m") = 0.5*sin(hinge.phi);
  end Watched;

  model MotorOverGear "Motor inertia, gear and arm are one system of equations"
    extends Arm(hinge(useAxisFlange = true));
    parameter Real ratio = 30;
    Rotational.Components.Inertia motor(J = 1e-3);
    Rotational.Components.IdealGear gear(ratio = ratio);
  equation
    connect(motor.flange_b, gear.flange_a);
    connect(gear.flange_b, hinge.axis);
  end MotorOverGear;

  model MotorInCompany "Bodies beside it that have nothing to do with the motor"
    extends MotorOverGear;
    Parts.Body other[20](each I_11 = 0.1, each I_22 = 0.2, each I_33 = 0.3, each w_0_start = {1, 2, 3});
  end MotorInCompany;

  model Prescribed "The torque that a motion needs"
    extends Arm(hinge(useAxisFlange = true, phi(fixed = false), w(fixed = false)));
    Rotational.Sources.Position position;
  equation
    position.phi_ref = sin(3*time);
    connect(position.flange, hinge.axis);
  end Prescribed;

  model Held "A constant torque holds the arm where it starts: the angle is found"
    extends Arm(hinge(useAxisFlange = true, phi(fixed = false), w(fixed = false)));
    Rotational.Sources.ConstantTorque torque(tau_constant = 5);
  equation
    connect(torque.flange, hinge.axis);
  initial equation
    hinge.w = 0;
    hinge.a = 0;
  end Held;

  model Coupled "Two arms whose angles a constraint couples"
    inner World world(g = 9.81);
    Joints.Revolute hinge[2](phi(start = {0.3, -0.6}, fixed = {true, false}), w(start = {0, 0}, fixed = {true, false}), each useAxisFlange = true);
    Parts.Body body[2](m = {2, 3}, r_CM = {{0.5, 0, 0}, {0.4, 0, 0}}, each I_11 = 0.05, each I_22 = 0.1, each I_33 = 0.1);
    Rotational.Components.IdealGear gear(ratio = -0.5);
  equation
    for i in 1:2 loop
      connect(world.frame_b, hinge[i].frame_a);
      connect(hinge[i].frame_b, body[i].frame_a);
    end for;
    connect(gear.flange_a, hinge[1].axis);
    connect(gear.flange_b, hinge[2].axis);
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end Coupled;

  model Floating "A motor on a base that floats in space turns an arm"
    inner World world(gravityType = Rattleback.World.GravityType.NoGravity);
    Parts.Body base(m = 3, I_11 = 0.2, I_22 = 0.2, I_33 = 0.3);
    Joints.Revolute hinge(useAxisFlange = true, phi(fixed = true), w(fixed = true));
    Parts.Body body(m = 2, r_CM = {0.5, 0, 0}, I_11 = 0.05, I_22 = 0.1, I_33 = 0.1);
    Rotational.Sources.ConstantTorque torque(tau_constant = 1);
  equation
    connect(base.frame_a, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
    connect(torque.flange, hinge.axis);
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Floating;

  model Hammer "An arm falls on a thin plate"
    inner World world(g = 9.81);
    parameter Real thickness(unit = "m") = 0.02;
    parameter Real d(unit = "m") = 0.1 "Of the head";
    Joints.Revolute hinge(canCollide = true, phi(start = 0.8, fixed = true), w(start = 0, fixed = true));
    Parts.FixedTranslation rod(r = {0.5, 0, 0});
    Parts.Solid head(shape = Shapes.Sphere(d), material = "Steel");
    Parts.Solid plate(shape = Shapes.Box(0.3, thickness, 0.3), material = "Steel", r = {0.5, -0.06 - thickness/2, 0}, fixed = true);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, rod.frame_a);
    connect(rod.frame_b, head.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Hammer;

  model WatchedHammer "The same, but the joint belongs to the equations"
    extends Hammer;
    Real phi = hinge.phi;
  end WatchedHammer;

  model Pendulum "For arrays: a part that has its joint inside, hung on its own connector"
    outer World world;
    Interfaces.Frame_a frame_a;
    parameter Real L(unit = "m") = 1;
    parameter Boolean heavy = false;
    Joints.Revolute hinge(phi(start = 0.1, fixed = true), w(fixed = true));
    Parts.Body bob(m = 1, r_CM = {0, -L, 0}, I_11 = 1e-6, I_22 = 1e-6, I_33 = 1e-6);
    Parts.Body weight(m = 5, r_CM = {0, -L, 0}) if heavy;
  equation
    connect(frame_a, hinge.frame_a);
    connect(hinge.frame_b, bob.frame_a);
    connect(hinge.frame_b, weight.frame_a);
  end Pendulum;

  model Clock "Pendulums of different length in an array, one of them heavy"
    inner World world(g = 9.81);
    Pendulum pendulum[3](L = {0.5, 1, 2}, heavy = {false, true, false});
  equation
    for i in 1:3 loop
      connect(world.frame_b, pendulum[i].frame_a);
    end for;
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end Clock;

  model Replaced "A joint that was redeclared, with a damper inside"
    model Damped "A joint that extends one"
      extends Joints.Revolute(final useAxisFlange = true);
      Rotational.Components.Damper damper(d = 0.5);
    equation
      connect(damper.flange_a, support);
      connect(damper.flange_b, axis);
    end Damped;
    extends Arm(redeclare Damped hinge(phi(start = 0.3, fixed = true), w(start = 0, fixed = true)));
  end Replaced;

  partial model Lifted
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.Body body(m = 2, r_0(start = {0, 0, 1}));
    Forces.WorldForce thrust;
    Sensors.AbsoluteAcceleration acceleration(resolveInFrame = Types.ResolveInFrame.world);
    parameter Real k(unit = "N/m") = 8, d(unit = "N.s/m") = 8;
    Real height(unit = "m"), speed(unit = "m/s"), up(unit = "m/s2") = acceleration.a[3];
  equation
    connect(body.frame_a, thrust.frame_b);
    connect(body.frame_a, acceleration.frame_a);
    thrust.force = {0, 0, 2*9.81 + k*(2 - height) - d*speed};
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end Lifted;

  model Hover "A force that follows from sensors"
    extends Lifted;
    Sensors.AbsolutePosition position(resolveInFrame = Types.ResolveInFrame.world);
    Sensors.AbsoluteVelocity velocity(resolveInFrame = Types.ResolveInFrame.world);
  equation
    connect(body.frame_a, position.frame_a);
    connect(body.frame_a, velocity.frame_a);
    height = position.r[3];
    speed = velocity.v[3];
  end Hover;

  model HoverByBody "A force that follows from variables of the body"
    extends Lifted;
  equation
    height = body.r_0[3];
    speed = body.v_0[3];
  end HoverByBody;

  model Turning "All kinds of sensors on the tip of an arm"
    inner World world(gravityType = Rattleback.World.GravityType.NoGravity);
    Joints.Revolute hinge(w(start = 2, fixed = true), phi(fixed = true));
    Parts.FixedTranslation arm(r = {1, 0, 0});
    Parts.Body body;
    Parts.Fixed post(r = {3, 0, 0});
    Sensors.AbsolutePosition r(resolveInFrame = Types.ResolveInFrame.world);
    Sensors.AbsoluteVelocity v(resolveInFrame = Types.ResolveInFrame.world), v_a(resolveInFrame = Types.ResolveInFrame.frame_a);
    Sensors.AbsoluteAcceleration a_a(resolveInFrame = Types.ResolveInFrame.frame_a);
    Sensors.AbsoluteAngles angles;
    Sensors.AbsoluteAngularVelocity w(resolveInFrame = Types.ResolveInFrame.world);
    Sensors.Distance distance;
    Sensors.DistanceRate rate;
    Sensors.RelativeVelocity seen;
    Real used(unit = "m") = r.r[1] + distance.distance "Some of them are wanted, the others are results";
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, arm.frame_a);
    connect(hinge.frame_b, body.frame_a);
    connect(arm.frame_b, r.frame_a);
    connect(arm.frame_b, v.frame_a);
    connect(arm.frame_b, v_a.frame_a);
    connect(arm.frame_b, a_a.frame_a);
    connect(arm.frame_b, angles.frame_a);
    connect(arm.frame_b, w.frame_a);
    connect(post.frame_b, distance.frame_a);
    connect(arm.frame_b, distance.frame_b);
    connect(post.frame_b, rate.frame_a);
    connect(arm.frame_b, rate.frame_b);
    connect(post.frame_b, seen.frame_a);
    connect(arm.frame_b, seen.frame_b);
    annotation(experiment(StopTime = 2, Tolerance = 1e-11));
  end Turning;

  model Springs "A mass between two springs"
    inner World world(gravityType = Rattleback.World.GravityType.NoGravity);
    Parts.Fixed left(r = {-1, 0, 0}), right(r = {1, 0, 0});
    Parts.Body mass(m = 2, r_0(start = {0.1, 0, 0}));
    Forces.Spring a(c = 100, s_unstretched = 1);
    Forces.SpringDamperParallel b(c = 200, s_unstretched = 1, d = 0);
  equation
    connect(left.frame_b, a.frame_a);
    connect(a.frame_b, mass.frame_a);
    connect(right.frame_b, b.frame_a);
    connect(b.frame_b, mass.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-11));
  end Springs;

  model Warm "Dampers stop masses that are thrown along them, and heat 10 J/K of oil each"
    inner World world(gravityType = Rattleback.World.GravityType.NoGravity);
    Parts.Body mass[3](each m = 2, r_0(start = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), v_0(start = {{3, 0, 0}, {0, 3, 0}, {0, 0, 3}}));
    Forces.Damper a(d = 4, useHeatPort = true);
    Forces.SpringDamperParallel b(c = 0, d = 4, useHeatPort = true);
    Forces.SpringDamperSeries c(c = 1e5, s_unstretched = 1, d = 4, useHeatPort = true);
    HeatTransfer.Components.HeatCapacitor oil[3](each C = 10, T(each start = 300, each fixed = true));
  equation
    connect(world.frame_b, a.frame_a);
    connect(world.frame_b, b.frame_a);
    connect(world.frame_b, c.frame_a);
    connect(a.frame_b, mass[1].frame_a);
    connect(b.frame_b, mass[2].frame_a);
    connect(c.frame_b, mass[3].frame_a);
    connect(a.heatPort, oil[1].port);
    connect(b.heatPort, oil[2].port);
    connect(c.heatPort, oil[3].port);
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Warm;

  model Shaped "Physical pendulums whose mass follows from sizes and density, at rest at 90 degrees"
    inner World world(g = 9.81);
    parameter Real rho(unit = "kg/m3") = 1000;
    Joints.Revolute a, b, c, d;
    Parts.BodyBox box(r = {0.6, 0, 0}, width = 0.2, height = 0.1, innerWidth = 0.1, innerHeight = 0.05, density = rho);
    Parts.BodyBox skew(r = {0.48, 0, 0.36}, widthDirection = {0, 1, 0}, width = 0.2, height = 0.1, density = rho);
    Parts.BodyCylinder pipe(r = {0.6, 0, 0}, diameter = 0.2, innerDiameter = 0.1, density = rho);
    Parts.BodyShape shape(r = {0.6, 0, 0}, m = 2, r_CM = {0.3, 0, 0}, I_33 = 0.1, shape = Shapes.Sphere(0.2), r_shape = {0.5, 0, 0});
    Parts.Visual mark(shape = Shapes.GearWheel(0.1, 0.02, 12)), label(shape = Shapes.Text(0.05), text = "box");
    Real acceleration[4](each unit = "rad/s2") = {a.a, b.a, c.a, d.a};
  equation
    connect(world.frame_b, a.frame_a);
    connect(world.frame_b, b.frame_a);
    connect(world.frame_b, c.frame_a);
    connect(world.frame_b, d.frame_a);
    connect(a.frame_b, box.frame_a);
    connect(b.frame_b, skew.frame_a);
    connect(c.frame_b, pipe.frame_a);
    connect(d.frame_b, shape.frame_a);
    connect(box.frame_b, mark.frame_a);
    connect(box.frame_b, label.frame_a);
    annotation(experiment(StopTime = 0.1, Tolerance = 1e-8));
  end Shaped;

  model ShapedHammer "The head of Hammer as a body with a shape that collides"
    inner World world(g = 9.81);
    parameter Real d(unit = "m") = 0.1 "Of the head";
    Joints.Revolute hinge(canCollide = true, phi(start = 0.8, fixed = true), w(start = 0, fixed = true));
    parameter Real m(unit = "kg") = 7850*Rattleback.pi*d^3/6;
    Parts.BodyShape head(m = m, r_CM = {0.5, 0, 0}, I_11 = 0.1*m*d^2, I_22 = 0.1*m*d^2, I_33 = 0.1*m*d^2, shape = Shapes.Sphere(d), r_shape = {0.5, 0, 0}, collidable = true);
    Parts.Solid plate(shape = Shapes.Box(0.3, 0.02, 0.3), material = "Steel", r = {0.5, -0.06 - 0.02/2, 0}, fixed = true);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, head.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end ShapedHammer;

  model InJoints "Springs, dampers and stops inside of joints"
    inner World world(gravityType = Rattleback.World.GravityType.NoGravity);
    Joints.Prismatic slide(c = 50, s_rest = 0.2, d = 2, s(start = 0.5));
    Joints.Revolute turn(c_stop = 1000, phi_min = -0.1, phi_max = 0.2, w(start = 1));
    Parts.Body mass(m = 2), wheel(m = 1, I_33 = 0.1);
  equation
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, mass.frame_a);
    connect(world.frame_b, turn.frame_a);
    connect(turn.frame_b, wheel.frame_a);
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end InJoints;

  model OnBushing "A body that swings along and about the axes of a bushing"
    inner World world(gravityType = Rattleback.World.GravityType.NoGravity);
    Parts.Body body(m = 2, I_11 = 0.1, I_22 = 0.2, I_33 = 0.3, r_0(start = {0.01, 0.02, 0}), angles_start = {0, 0, 0.01});
    Forces.Bushing bushing(c = {200, 800, 100}, d = {4, 0, 0}, c_angular = {1, 1, 30}, largeAngles = true);
  equation
    connect(world.frame_b, bushing.frame_a);
    connect(bushing.frame_b, body.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-11));
  end OnBushing;

  model Maxwell "A mass on a spring behind a damper"
    inner World world(gravityType = Rattleback.World.GravityType.NoGravity);
    Parts.Body mass(m = 2, r_0(start = {1, 0, 0}), v_0(start = {1, 0, 0}));
    Forces.SpringDamperSeries maxwell(c = 50, d = 4, s_unstretched = 1);
  equation
    connect(world.frame_b, maxwell.frame_a);
    connect(maxwell.frame_b, mass.frame_a);
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end Maxwell;

  model OnTheGround "A half-space lies below, whatever direction that is; a wall is told its axis"
    parameter Real n[3] = {0, -1, 0};
    parameter Integer axis = 0;
    inner Rattleback.World world(g = 9.81, n = n);
    Rattleback.Parts.Solid ground(shape = Rattleback.Shapes.HalfSpace(axis), fixed = true);
    Rattleback.Parts.Solid ball(shape = Rattleback.Shapes.Sphere(0.1), r = {0.06, 0.06, 0.06});
    Rattleback.Materials.Pair hard(a = "Steel", b = "Steel", restitution = 0.25);
  end OnTheGround;

  model PartsBeforeMaterials "What is said of a material holds for a part that was singled out before"
    inner World world(gravityType = World.GravityType.NoGravity);
    Materials.Pair two(a = "a", b = "b", restitution = 0.9);
    Materials.Pair one(a = "c", b = "DryWood", restitution = 0.1);
    Materials.Pair all(a = "Steel", b = "Steel", restitution = 0.3);
    Parts.Solid a(shape = Shapes.Sphere(0.1), mass = 2, v = {1, 0, 0});
    Parts.Solid b(shape = Shapes.Sphere(0.1), mass = 3, r = {0.2, 0, 0});
    Parts.Solid c(shape = Shapes.Sphere(0.1), mass = 3, r = {0.5, 0, 0});
    annotation(experiment(StopTime = 1.2, Tolerance = 1e-9));
  end PartsBeforeMaterials;

  model MaterialsBeforeParts
    inner World world(gravityType = World.GravityType.NoGravity);
    Materials.Pair all(a = "Steel", b = "Steel", restitution = 0.3);
    Materials.Pair one(a = "c", b = "DryWood", restitution = 0.1);
    Materials.Pair two(a = "a", b = "b", restitution = 0.9);
    Parts.Solid a(shape = Shapes.Sphere(0.1), mass = 2, v = {1, 0, 0});
    Parts.Solid b(shape = Shapes.Sphere(0.1), mass = 3, r = {0.2, 0, 0});
    Parts.Solid c(shape = Shapes.Sphere(0.1), mass = 3, r = {0.5, 0, 0});
    annotation(experiment(StopTime = 1.2, Tolerance = 1e-9));
  end MaterialsBeforeParts;

  model Balls "Two balls roll, one is hit"
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.Solid table(shape = Shapes.Box(3, 2, 0.02), material = "BilliardTable", r = {0, 0, -0.01}, fixed = true);
    Parts.Solid ball[3](each shape = Shapes.Sphere(0.06), each material = "BilliardBall", r = {{-0.5, 0, 0.03}, {0, 0, 0.03}, {0, 0.5, 0.03}}, v = {{2, 0, 0}, {0, 0, 0}, {0, 1, 0}});
    annotation(experiment(StopTime = 0.5, Tolerance = 1e-8));
  end Balls;

  model WatchedBalls "Sensors that nothing feeds back"
    extends Balls;
    Sensors.AbsolutePosition r(resolveInFrame = Types.ResolveInFrame.world);
    Sensors.AbsoluteAcceleration a(resolveInFrame = Types.ResolveInFrame.world);
    Real twice(unit = "m") = 2*r.r[1], pull(unit = "m/s2") = a.a[1];
  equation
    connect(ball[2].frame_a, r.frame_a);
    connect(ball[1].frame_a, a.frame_a);
    annotation(experiment(StopTime = 0.5, Tolerance = 1e-8));
  end WatchedBalls;

  model BesideLoop "A four-bar linkage"
    inner World world(g = 9.81);
    Parts.Fixed ground(r = {1, 0, 0});
    Joints.Revolute crank(phi(start = 1, fixed = true), w(start = 6, fixed = true)), coupler(phi(start = -0.8)), rocker(phi(start = 1.5)), closing(phi(start = -0.5));
    Parts.Body bar[3](each m = 1, r_CM = {{0.15, 0, 0}, {0.45, 0, 0}, {0.35, 0, 0}}, each I_11 = 0.001, each I_22 = 0.02, each I_33 = 0.02);
    Parts.FixedTranslation link[3](r = {{0.3, 0, 0}, {0.9, 0, 0}, {0.7, 0, 0}});
  equation
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, link[1].frame_a);
    connect(crank.frame_b, bar[1].frame_a);
    connect(link[1].frame_b, coupler.frame_a);
    connect(coupler.frame_b, link[2].frame_a);
    connect(coupler.frame_b, bar[2].frame_a);
    connect(ground.frame_b, rocker.frame_a);
    connect(rocker.frame_b, link[3].frame_a);
    connect(rocker.frame_b, bar[3].frame_a);
    connect(link[2].frame_b, closing.frame_a);
    connect(closing.frame_b, link[3].frame_b);
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end BesideLoop;

  model DriveBesideLoop "A driven arm beside the linkage"
    extends BesideLoop;
    Joints.Revolute hinge(useAxisFlange = true, phi(start = 0.3, fixed = true), w(fixed = true));
    Parts.Body body(m = 2, r_CM = {0.5, 0, 0}, I_11 = 0.05, I_22 = 0.1, I_33 = 0.1);
    Rotational.Components.Inertia motor(J = 0.01);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
    connect(motor.flange_b, hinge.axis);
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end DriveBesideLoop;

  model Bars "Balls fall on the ends of a box along x, from 0 to 1 m, and of a cylinder along z, from 0.2 to 0.8 m, and beside them"
    inner World world(g = 9.81);
    Parts.BodyBox box(r = {1, 0, 0}, width = 0.1, collidable = true);
    Parts.BodyCylinder cylinder(r = {0, 0, 1}, r_shape = {0, 0, 0.2}, length = 0.6, diameter = 0.1, collidable = true);
    Parts.FixedTranslation aside(r = {0, 0, 1});
    parameter Real on[4, 3] = {{0.03, 0.2, 0}, {0.97, 0.2, 0}, {0, 0.2, 1.23}, {0, 0.2, 1.77}};
    parameter Real off[4, 3] = {{-0.1, 0.2, 0}, {1.1, 0.2, 0}, {0, 0.2, 1.1}, {0, 0.2, 1.9}};
    Parts.Solid hits[4](each shape = Shapes.Sphere(0.1), r = on), falls[4](each shape = Shapes.Sphere(0.1), r = off);
  equation
    connect(world.frame_b, box.frame_a);
    connect(world.frame_b, aside.frame_a);
    connect(aside.frame_b, cylinder.frame_a);
    annotation(experiment(StopTime = 0.2, Tolerance = 1e-8));
  end Bars;

  model Dumbbell "Two masses on a rod near what attracts them, which pulls more at the nearer one"
    inner World world(gravityType = World.GravityType.PointGravity, mu = 40);
    Parts.Body middle(m = 1, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1, r_0(start = {3, 0, 0}), v_0(start = {0, 3.6, 0}));
    Parts.FixedTranslation one(r = {0.6, 0.8, 0}), other(r = {-0.6, -0.8, 0});
    Parts.PointMass near(m = 2), far(m = 2);
  equation
    connect(middle.frame_a, one.frame_a);
    connect(middle.frame_a, other.frame_a);
    connect(one.frame_b, near.frame_a);
    connect(other.frame_b, far.frame_a);
    annotation(experiment(StopTime = 3, Tolerance = 1e-10));
  end Dumbbell;

  model Wrung "Springs about three axes, without dampers: large angles at once make energy"
    inner World world(gravityType = World.GravityType.NoGravity);
    Parts.Body body(m = 1, I_11 = 0.02, I_22 = 0.03, I_33 = 0.04, w_0_start = {10, -12, 13});
    Forces.Bushing bushing(c = {500, 500, 500}, c_angular = {10, 10, 10}, largeAngles = true);
  equation
    connect(world.frame_b, bushing.frame_a);
    connect(bushing.frame_b, body.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Wrung;
end Mechanics;
