package StandardNames "Models as users of the standard library write them; tests/cli/test_multibody_engine.sh says how they move"
  import Modelica.Mechanics.MultiBody.*;
  import Modelica.Mechanics.Rotational;

  model Moon "A world of its own"
    extends World(g = 1.62, n = {0, 0, -1}, animateWorld = false);
  end Moon;

  model Falls "A body without joints in a world that extends World"
    inner Moon world;
    Parts.Body body(m = 2, r_0(start = {0, 0, 10}, each fixed = true), v_0(start = {1, 0, 0}, each fixed = true), animation = false);
    Sensors.AbsoluteSensor sensor(get_v = true, get_a = true, resolveInFrame = Types.ResolveInFrameA.world, animation = false);
  equation
    connect(sensor.frame_a, body.frame_a);
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Falls;

  model Orbit "A circle about the origin"
    inner World world(gravityType = Types.GravityTypes.PointGravity, mu = 8, gravitySphereDiameter = 0.1);
    Parts.Body body(m = 3, r_0(start = {2, 0, 0}, each fixed = true), v_0(start = {0, 2, 0}, each fixed = true));
    annotation(experiment(StopTime = 3.141592653589793, Tolerance = 1e-11));
  end Orbit;

  model Arms "Moments of inertia from shapes; drives on axis flanges; rotors, one on a turning part"
    inner World world(gravityType = Types.GravityTypes.NoGravity);
    Joints.Revolute a(useAxisFlange = true, phi(start = 0, fixed = true), w(start = 2, fixed = true), stateSelect = StateSelect.always);
    Parts.BodyBox box(r = {0.5, 0, 0}, width = 0.1, height = 0.04, density = 2000);
    Rotational.Components.Damper damper(d = 0.5);
    Joints.Revolute b(useAxisFlange = true, n = {0, 1, 0}, phi(start = 0, fixed = true), w(start = 0, fixed = true));
    Parts.BodyCylinder rod(r = {0.4, 0, 0}, diameter = 0.1, density = 1000);
    Rotational.Sources.ConstantTorque torque(tau_constant = 3);
    Joints.Revolute c(phi(start = 0, fixed = true), w(start = 2, fixed = true));
    Sensors.CutTorque gyroscopic;
    Parts.BodyShape housing(r = {0.1, 0, 0}, r_CM = {0.2, 0, 0}, m = 2, I_11 = 0.015, I_22 = 0.015, I_33 = 0.02, animateSphere = false);
    Parts.Rotor1D rotor(J = 0.05, n = {1, 0, 0}, phi(start = 0, fixed = true), w(start = 30, fixed = true));
    Parts.Rotor1D driven(J = 0.05, n = {0, 0, 1}, phi(start = 0, fixed = true), w(start = 0, fixed = true));
    Parts.Mounting1D mounting(n = {0, 0, 1});
    Rotational.Sources.Torque2 motor;
    Modelica.Blocks.Sources.Constant current(k = 0.1);
    Joints.Prismatic slide(n = {0, 0, 1}, s(start = 0, fixed = true), v(start = 0, fixed = true), boxWidth = 0.3);
    Parts.PointMass weight(m = 4);
    Forces.WorldForce push(animation = false);
    Modelica.Blocks.Sources.Constant force[3](k = {7, 5, 6});
  equation
    connect(world.frame_b, a.frame_a);
    connect(a.frame_b, box.frame_a);
    connect(damper.flange_a, a.support);
    connect(damper.flange_b, a.axis);
    connect(world.frame_b, b.frame_a);
    connect(b.frame_b, rod.frame_a);
    connect(torque.flange, b.axis);
    connect(world.frame_b, c.frame_a);
    connect(c.frame_b, gyroscopic.frame_a);
    connect(gyroscopic.frame_b, housing.frame_a);
    connect(housing.frame_b, rotor.frame_a);
    connect(world.frame_b, driven.frame_a);
    connect(world.frame_b, mounting.frame_a);
    connect(mounting.flange_b, motor.flange_a);
    connect(motor.flange_b, driven.flange_a);
    connect(current.y, motor.tau);
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, weight.frame_a);
    connect(push.frame_b, weight.frame_a);
    connect(force.y, push.force);
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end Arms;

  model Springs "Masses on springs, what holds them, and where they are"
    inner World world;
    Joints.Prismatic down(n = {0, -1, 0}, s(start = 0.3, fixed = true), v(start = 0, fixed = true));
    Parts.Body mass(m = 1.5);
    Forces.Spring spring(c = 60, s_unstretched = 0.2, showMass = false, coilWidth = 0.02);
    Parts.FixedTranslation beside(r = {1, 0, 0}, width = 0.2);
    Joints.Prismatic slow(n = {0, -1, 0}, s(start = 0.3, fixed = true), v(start = 0, fixed = true));
    Parts.Body damped(m = 1.5);
    Forces.SpringDamperParallel both(c = 60, s_unstretched = 0.2, d = 6);
    Parts.FixedRotation turned(n = {0, 0, 1}, angle = 30);
    Sensors.CutForce cut(resolveInFrame = Types.ResolveInFrameA.world);
    Sensors.CutTorque bending(resolveInFrame = Types.ResolveInFrameA.world);
    Parts.FixedTranslation bracket(r = {2, 0, 0}, animation = false);
    Parts.Body lamp(m = 5);
    Sensors.Distance apart;
    Sensors.RelativeSensor seen;
  equation
    connect(world.frame_b, down.frame_a);
    connect(down.frame_b, mass.frame_a);
    connect(world.frame_b, spring.frame_a);
    connect(spring.frame_b, mass.frame_a);
    connect(world.frame_b, beside.frame_a);
    connect(beside.frame_b, slow.frame_a);
    connect(slow.frame_b, damped.frame_a);
    connect(beside.frame_b, both.frame_a);
    connect(both.frame_b, damped.frame_a);
    connect(world.frame_b, cut.frame_a);
    connect(cut.frame_b, bending.frame_a);
    connect(bending.frame_b, turned.frame_a);
    connect(turned.frame_b, bracket.frame_a);
    connect(bracket.frame_b, lamp.frame_a);
    connect(apart.frame_a, mass.frame_a);
    connect(apart.frame_b, damped.frame_a);
    connect(seen.frame_a, lamp.frame_a);
    connect(seen.frame_b, world.frame_b);
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end Springs;

  model Crank "A hinge of one's own"
    extends Joints.Revolute(n = {0, 0, 1}, animation = false);
  end Crank;

  model Parallelogram "A bar that hangs from two equal cranks never turns: a pendulum of their length"
    inner World world;
    parameter Real l = 0.5;
    Crank left(phi(start = 1, fixed = true), w(start = 0, fixed = true));
    Crank right(phi(start = 1));
    Parts.FixedTranslation across(r = {2, 0, 0});
    Parts.FixedTranslation crank1(r = {0, -l, 0});
    Parts.FixedTranslation crank2(r = {0, -l, 0});
    Joints.Revolute pin(phi(start = -1));
    Joints.RevolutePlanarLoopConstraint last;
    Parts.BodyBox bar(r = {2, 0, 0}, width = 0.1, density = 500);
  equation
    connect(world.frame_b, left.frame_a);
    connect(left.frame_b, crank1.frame_a);
    connect(crank1.frame_b, pin.frame_a);
    connect(pin.frame_b, bar.frame_a);
    connect(world.frame_b, across.frame_a);
    connect(across.frame_b, right.frame_a);
    connect(right.frame_b, crank2.frame_a);
    connect(crank2.frame_b, last.frame_b);
    connect(last.frame_a, bar.frame_b);
    annotation(experiment(StopTime = 0.6, Tolerance = 1e-9));
  end Parallelogram;

  model Dropped "Bodies with shapes: each falls from 0.2 m above the top of a bar between x = 0 and 1 m, but for the last"
    inner World world;
    Parts.BodyBox bar(r = {1, 0, 0}, width = 0.1);
    Parts.BodyShape ball(m = 1, r = {0, 0.1, 0}, r_CM = {0, 0.05, 0}, shapeType = "sphere", width = 0.1, r_0(start = {0.9, 0.25, 0}));
    Parts.BodyShape rod(m = 1, r = {0, 0.1, 0}, r_CM = {0, 0.05, 0}, width = 0.02, r_0(start = {0.1, 0.25, 0}));
    Parts.BodyCylinder post(r = {0, 0.1, 0}, diameter = 0.02, r_0(start = {0.5, 0.25, 0}));
    Parts.BodyShape brick(m = 1, r = {0, 0.1, 0}, r_CM = {0, 0.05, 0}, shapeType = "box", width = 0.1, r_0(start = {1.1, 0.25, 0}));
  equation
    connect(world.frame_b, bar.frame_a);
    annotation(experiment(StopTime = 0.22, Tolerance = 1e-8));
  end Dropped;

  model Free "Joints of two and more freedoms: throws, and a pendulum in a plane"
    inner World world;
    Joints.FreeMotion free(r_rel_a(start = {1, 2, 3}, each fixed = true), v_rel_a(start = {4, 5, 6}, each fixed = true), animation = false);
    Parts.Body thrown;
    Joints.Planar planar(n = {0, 0, 1}, s_x(start = 1, fixed = true), s_y(start = 2, fixed = true), v_x(start = 3, fixed = true), v_y(start = 4, fixed = true), w(start = 5, fixed = true));
    Parts.Body flat;
    Joints.Cylindrical pole(n = {0, 1, 0}, s(start = 1, fixed = true), v(start = 2, fixed = true), w(start = 3, fixed = true));
    Parts.Body ring;
    Joints.Universal cross(n_a = {1, 0, 0}, n_b = {0, 0, 1}, phi_a(start = 0, fixed = true), w_a(start = 0, fixed = true), phi_b(start = 0.1, fixed = true), w_b(start = 0, fixed = true));
    Parts.Body bob(m = 2, r_CM = {0, -1, 0}, I_11 = 0, I_22 = 0, I_33 = 0);
  equation
    connect(world.frame_b, free.frame_a);
    connect(free.frame_b, thrown.frame_a);
    connect(world.frame_b, planar.frame_a);
    connect(planar.frame_b, flat.frame_a);
    connect(world.frame_b, pole.frame_a);
    connect(pole.frame_b, ring.frame_a);
    connect(world.frame_b, cross.frame_a);
    connect(cross.frame_b, bob.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end Free;
end StandardNames;
