package DrivenImpacts "Bodies hit something, and more is felt than they weigh (test_driven_impact.c)"
  import Rattleback.*;

  partial model Arm "Turns at 1 rad/s towards a wall, or a ball in its place"
    inner World world(gravityType = World.GravityType.NoGravity);
    parameter Boolean wall_there = true;
    Joints.Revolute hinge(useAxisFlange = true, canCollide = true, phi(start = 0, fixed = true), w(start = 1, fixed = true));
    Parts.Body rod(m = 1, r_CM = {0.5, 0, 0}, I_11 = 0.05, I_22 = 0.1, I_33 = 0.1);
    Parts.FixedTranslation tip(r = {1, 0, 0});
    Parts.Solid head(shape = Shapes.Sphere(0.1), mass = 0.5);
    Parts.Solid wall(shape = Shapes.Box(1, 0.1, 1), r = {1, if wall_there then 0.2 else 10, 0}, fixed = true);
    Parts.Solid ball(shape = Shapes.Sphere(0.1), mass = 0.7, r = {1, if wall_there then -10 else 0.2, 0});
    Materials.Pair pair(a = "head", b = "wall", restitution = 0.5), other(a = "head", b = "ball", restitution = 0.5);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, rod.frame_a);
    connect(hinge.frame_b, tip.frame_a);
    connect(tip.frame_b, head.frame_a);
  end Arm;

  model Rotor "A motor behind a gear: 2 kg.m2 behind an arm of 0.85 kg.m2"
    extends Arm;
    parameter Real J = 0.02;
    Rotational.Components.IdealGear gear(ratio = 10);
    Rotational.Components.Inertia motor(J = J);
  equation
    connect(hinge.axis, gear.flange_b);
    connect(gear.flange_a, motor.flange_a);
  end Rotor;

  model Elastic "A spring behind the joint is not felt in a blow, the rotor beyond it neither"
    extends Arm;
    Rotational.Components.Spring shaft(c = 0.01);
    Rotational.Components.Inertia motor(J = 2, w(start = 1, fixed = true));
  initial equation
    shaft.phi_rel = 0;
  equation
    connect(hinge.axis, shaft.flange_a);
    connect(shaft.flange_b, motor.flange_a);
  end Elastic;

  model Pair "Another arm is turned with this one by a gear between their joints"
    extends Arm;
    Joints.Revolute second(useAxisFlange = true);
    Parts.Body far(m = 3, r_CM = {0.4, 0, 0}, I_11 = 0.1, I_22 = 0.2, I_33 = 0.2);
    Parts.Fixed place(r = {0, -3, 0});
    Rotational.Components.IdealGear gear(ratio = -2);
  equation
    connect(place.frame_b, second.frame_a);
    connect(second.frame_b, far.frame_a);
    connect(hinge.axis, gear.flange_b);
    connect(gear.flange_a, second.axis);
  end Pair;

  model Prescribed "The arm is moved, whatever it hits"
    extends Arm(hinge(phi(fixed = false), w(fixed = false)));
    Rotational.Sources.Position drive;
    parameter Real speed(unit = "rad/s") = 1;
  equation
    drive.phi_ref = speed*time;
    connect(drive.flange, hinge.axis);
  end Prescribed;

  model Linkage "A rocker of a parallelogram meets a wall; the coupler and the other rocker are felt"
    inner World world(gravityType = World.GravityType.NoGravity);
    Joints.Revolute j1(canCollide = true, phi(start = -2.5, fixed = true), w(start = 1, fixed = true));
    Joints.Revolute j2(phi(start = 2.5)), j3(phi(start = -2.5)), j4(phi(start = -2.5));
    Parts.Body a(m = 1, r_CM = {0.25, 0, 0}), b(m = 2, r_CM = {0.5, 0, 0}), c(m = 4, r_CM = {0.25, 0, 0});
    Parts.FixedTranslation ab(r = {0.5, 0, 0}), bb(r = {1, 0, 0}), cb(r = {0.5, 0, 0});
    Parts.Fixed other(r = {1, 0, 0});
    Parts.Solid head(shape = Shapes.Sphere(0.1), mass = 0.5);
    Parts.Solid wall(shape = Shapes.Box(1, 0.1, 1), r = {-0.2, -0.55, 0}, fixed = true);
    Materials.Pair pair(a = "head", b = "wall", restitution = 0.5);
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
    connect(ab.frame_b, head.frame_a);
  end Linkage;

  model DrivenLinkage "The same with a rotor at the joint"
    extends Linkage(j1(useAxisFlange = true));
    Rotational.Components.Inertia rotor(J = 3);
  equation
    connect(j1.axis, rotor.flange_a);
  end DrivenLinkage;

  model Apart "The shape of the part that a pair names stands apart from its frame"
    inner World world(gravityType = World.GravityType.NoGravity);
    Joints.Revolute hinge(canCollide = true, w(start = 1));
    Parts.Solid arm(shape = Shapes.Sphere(0.1), mass = 2, r_shape = {1, 0, 0});
    Parts.Solid wall(shape = Shapes.Box(1, 0.1, 1), r = {1, 0.2, 0}, fixed = true);
    Materials.Pair pair(a = "arm", b = "wall", restitution = 0.5);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, arm.frame_a);
  end Apart;
end DrivenImpacts;
