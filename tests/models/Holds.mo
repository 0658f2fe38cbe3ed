package Holds "Rods, constraints and wheels, whose motion is known"
  import Rattleback.*;

  model Cone "A ball on a rod goes round in a circle at 0.6 rad from the vertical"
    parameter Real m = 0;
    parameter Real L = 0.5;
    parameter Real M = 2;
    parameter Real theta = 0.6;
    final parameter Real w = sqrt(9.81*(M + m/2)/((M + m/4)*L*cos(theta)));
    inner World world(gravity = {0, 0, -9.81});
    Joints.SphericalSpherical rod(rodLength = L, m = m);
    Parts.Body ball(m = M, I_11 = 0.1, I_22 = 0.2, I_33 = 0.3, r_0(start = {L*sin(theta), 0, -L*cos(theta)}), v_0(start = {0, w*L*sin(theta), 0}));
  equation
    connect(world.frame_b, rod.frame_a);
    connect(rod.frame_b, ball.frame_a);
    annotation(experiment(StopTime = 5, Tolerance = 1e-10));
  end Cone;

  model HeavyCone "The same with a rod of 3 kg"
    extends Cone(m = 3);
  end HeavyCone;

  partial model Crank "A crank of 0.2 m turns at 5 rad/s; a slider of 3 kg"
    inner World world(gravityType = World.GravityType.NoGravity);
    Joints.Revolute crank(n = {0, 0, 1}, useAxisFlange = true);
    Parts.Body disc(m = 1, I_11 = 0.05, I_22 = 0.05, I_33 = 0.1);
    Parts.FixedTranslation pin(r = {0.2, 0, 0});
    Joints.Prismatic slide(n = {1, 0, 0}, s(start = 0.6));
    Parts.Body slider(m = 3);
    Rotational.Sources.Position motion;
    parameter Units.AngularVelocity w = 5;
    Units.Position s = slide.s;
  equation
    motion.phi_ref = 0.4 + w*time;
    connect(motion.flange, crank.axis);
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, disc.frame_a);
    connect(crank.frame_b, pin.frame_a);
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, slider.frame_a);
    annotation(experiment(StopTime = 3, Tolerance = 1e-9));
  end Crank;

  model Balls "A rod without mass between two balls"
    extends Crank;
    Joints.SphericalSpherical rod(rodLength = 0.5);
  equation
    connect(pin.frame_b, rod.frame_a);
    connect(rod.frame_b, slider.frame_a);
  end Balls;

  model Universal "A rod without mass, nothing is connected to it"
    extends Crank;
    Joints.UniversalSpherical rod(n1_a = {0, 0, 1}, rRod_ia = {0.3, 0.4, 0});
  equation
    connect(pin.frame_b, rod.frame_a);
    connect(rod.frame_b, slider.frame_a);
  end Universal;

  model Carried "A rod that carries a place that is looked at"
    extends Crank;
    Joints.UniversalSpherical rod(n1_a = {0, 0, 1}, rRod_ia = {0.3, 0.4, 0});
    Sensors.AbsolutePosition end_(resolveInFrame = Types.ResolveInFrame.world);
    Parts.FixedTranslation along(r = {0.3, 0.4, 0});
  equation
    connect(pin.frame_b, rod.frame_a);
    connect(rod.frame_b, slider.frame_a);
    connect(rod.frame_ia, along.frame_a);
    connect(along.frame_b, end_.frame_a);
  end Carried;

  model Swing "A rod with a mass of its own, between a crank that is free and a slider on a slope in space"
    inner World world(gravity = {0, 0, -9.81});
    Joints.Revolute crank(n = {1, 0, 0}, phi(fixed = true), w(start = 4, fixed = true));
    Parts.Body disc(m = 2, r_CM = {0, 0.1, 0}, I_11 = 0.1, I_22 = 0.05, I_33 = 0.05);
    Parts.FixedTranslation pin(r = {0.1, 0.2, 0});
    Joints.UniversalSpherical rod(computeRodLength = true, n1_a = {0, 1, 0}, rRod_ia = {1, 0.1, 0});
    Parts.Body shaft(m = 0.5, r_CM = {0.3, 0.03, 0}, I_11 = 0.001, I_22 = 0.02, I_33 = 0.02);
    Parts.Fixed there(r = {0.7, 0, 0});
    Joints.Prismatic slide(n = {1, 0, 0.5}, s(start = 0.1, fixed = true));
    Parts.Body slider(m = 1);
    Sensors.Distance apart;
  equation
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, disc.frame_a);
    connect(crank.frame_b, pin.frame_a);
    connect(pin.frame_b, rod.frame_a);
    connect(rod.frame_ia, shaft.frame_a);
    connect(rod.frame_b, slider.frame_a);
    connect(there.frame_b, slide.frame_a);
    connect(slide.frame_b, slider.frame_a);
    connect(pin.frame_b, apart.frame_a);
    connect(slider.frame_a, apart.frame_b);
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end Swing;

  model SeenSwing "The same where equations look at the joints"
    extends Swing;
    Units.Angle phi = crank.phi;
    Units.Position s = slide.s;
  end SeenSwing;

  model Plate "Only its height and its angles are held"
    inner World world(gravity = {0, 0, -9.81});
    Joints.Constraints.Prismatic plane(x_locked = false, y_locked = false);
    Parts.Body plate(m = 2, I_11 = 0.1, I_22 = 0.2, I_33 = 0.3, r_CM = {0.1, 0.2, 0.3}, v_0(start = {1, -0.5, 0}));
    Forces.WorldForce wind;
  equation
    wind.force = {2, 0, 1};
    connect(wind.frame_b, plate.frame_a);
    connect(world.frame_b, plane.frame_a);
    connect(plane.frame_b, plate.frame_a);
    annotation(experiment(StopTime = 2, Tolerance = 1e-9));
  end Plate;

  partial model Held "A body that is held once by a joint and once by a constraint beside its free motion"
    parameter Integer way = 1 "Of them";
    inner World world(gravity = {0, 0, -9.81});
    Parts.FixedRotation bearing(r = {0.1, 0.2, 0.3}, angles = {0.3, 0.5, 0.7});
    Parts.Body one(m = 2, r_CM = {0.2, 0.1, 0.15}, I_11 = 0.1, I_22 = 0.2, I_33 = 0.3);
    Parts.Body other(m = 2, r_CM = {0.2, 0.1, 0.15}, I_11 = 0.1, I_22 = 0.2, I_33 = 0.3, r_0(start = {0.1, 0.2, 0.3}), angles_start = {0.3, 0.5, 0.7});
  equation
    connect(world.frame_b, bearing.frame_a);
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end Held;

  model HeldRevolute "About an axis"
    extends Held;
    Joints.Revolute joint(n = {0, 1, 2});
    Joints.Constraints.Revolute constraint(n = {0, 1, 2});
  equation
    connect(bearing.frame_b, joint.frame_a);
    connect(joint.frame_b, one.frame_a);
    connect(bearing.frame_b, constraint.frame_a);
    connect(constraint.frame_b, other.frame_a);
  end HeldRevolute;

  model HeldSpherical "About a point"
    extends Held;
    Joints.Spherical joint;
    Joints.Constraints.Spherical constraint;
  equation
    connect(bearing.frame_b, joint.frame_a);
    connect(joint.frame_b, one.frame_a);
    connect(bearing.frame_b, constraint.frame_a);
    connect(constraint.frame_b, other.frame_a);
  end HeldSpherical;

  model HeldUniversal "About two axes"
    extends Held;
    Joints.Universal joint(n_a = {1, 0, 0}, n_b = {0, 1, 0});
    Joints.Constraints.Universal constraint(n_a = {1, 0, 0}, n_b = {0, 1, 0});
  equation
    connect(bearing.frame_b, joint.frame_a);
    connect(joint.frame_b, one.frame_a);
    connect(bearing.frame_b, constraint.frame_a);
    connect(constraint.frame_b, other.frame_a);
  end HeldUniversal;

  model HeldCylindrical "About and along an axis: a revolute constraint that leaves x open"
    extends Held;
    Joints.Cylindrical joint(n = {1, 0, 0});
    Joints.Constraints.Revolute constraint(n = {1, 0, 0}, x_locked = false);
  equation
    connect(bearing.frame_b, joint.frame_a);
    connect(joint.frame_b, one.frame_a);
    connect(bearing.frame_b, constraint.frame_a);
    connect(constraint.frame_b, other.frame_a);
  end HeldCylindrical;

  model HeldPrismatic "Along an axis: a prismatic constraint that leaves x open"
    extends Held;
    Joints.Prismatic joint(n = {1, 0, 0});
    Joints.Constraints.Prismatic constraint(x_locked = false);
  equation
    connect(bearing.frame_b, joint.frame_a);
    connect(joint.frame_b, one.frame_a);
    connect(bearing.frame_b, constraint.frame_a);
    connect(constraint.frame_b, other.frame_a);
  end HeldPrismatic;

  model Disc "A disc of 2 kg that is thrown and wobbles"
    inner World world(gravity = {0, 0, -9.81});
    Parts.RollingWheel wheel(radius = 0.3, m = 2, I_axis = 0.09, I_long = 0.045, x(start = 0.1), y(start = -0.2), angles(start = {0.2, 0.3, 0.4}), der_angles(start = {0.5, 6, -0.7}));
    Sensors.AbsoluteAngularVelocity spin(resolveInFrame = Types.ResolveInFrame.world);
    Sensors.AbsolutePosition place(resolveInFrame = Types.ResolveInFrame.world);
  equation
    connect(wheel.frame_a, spin.frame_a);
    connect(wheel.frame_a, place.frame_a);
    annotation(experiment(StopTime = 3, Tolerance = 1e-11));
  end Disc;

  model Straight "A pair of wheels with a body of 4 kg in the middle, both driven by 0.3 N.m"
    inner World world(gravity = {0, 0, -9.81});
    parameter Real right = 0.3;
    Parts.RollingWheelSet pair(R_wheel = 0.1, m_wheel = 0.5, I_wheelAxis = 0.0025, I_wheelLong = 0.002, track = 0.4, x(start = 0.1), y(start = 0.2), phi(start = 0.5));
    Parts.Body body(m = 4, I_11 = 0.01, I_22 = 0.01, I_33 = 0.02);
    Rotational.Sources.ConstantTorque one(tau_constant = 0.3), two(tau_constant = right);
  equation
    connect(pair.frameMiddle, body.frame_a);
    connect(one.flange, pair.axis1);
    connect(two.flange, pair.axis2);
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end Straight;

  model Curve "One side is driven"
    extends Straight(right = 0);
  end Curve;

  model StartedBehind "A flywheel that is fixed at 10 rad/s at the start is behind the crank; the slider, declared before, has a drive, too"
    inner World world(gravityType = World.GravityType.NoGravity);
    Joints.Prismatic slide(n = {1, 0, 0}, useAxisFlange = true);
    Parts.Body slider(m = 3);
    Joints.Revolute crank(n = {0, 0, 1}, useAxisFlange = true);
    Parts.FixedTranslation pin(r = {0.2, 0, 0});
    Joints.SphericalSpherical rod(rodLength = 0.5);
    Rotational.Components.Inertia wheel(J = 0.1, phi(start = 0.4, fixed = true), w(start = 10, fixed = true));
    Translational.Sources.ConstantForce push(f_constant = 0);
  equation
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, slider.frame_a);
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, pin.frame_a);
    connect(pin.frame_b, rod.frame_a);
    connect(rod.frame_b, slider.frame_a);
    connect(wheel.flange_b, crank.axis);
    connect(push.flange, slide.axis);
  end StartedBehind;

  partial model Corner "Two sliders across each other at the ends of a rod of 5 m"
    inner World world(gravityType = World.GravityType.NoGravity);
    replaceable Joints.Prismatic sx(n = {1, 0, 0}), sy(n = {0, 1, 0});
    Parts.Body bx(m = 1), by(m = 1);
    Joints.SphericalSpherical rod(rodLength = 5);
    Real x = sx.s, y(start = 4) = sy.s "They only look";
  equation
    connect(world.frame_b, sx.frame_a);
    connect(sx.frame_b, bx.frame_a);
    connect(world.frame_b, sy.frame_a);
    connect(sy.frame_b, by.frame_a);
    connect(rod.frame_a, bx.frame_a);
    connect(rod.frame_b, by.frame_a);
  end Corner;

  model CornerAtJoints "Start values are fixed at the joints"
    extends Corner(sx(s(start = 3, fixed = true)), sy(s(start = 4), v(start = -1.5, fixed = true)));
  end CornerAtJoints;

  model CornerInEquations "In variables of equations"
    extends Corner(x(start = 3, fixed = true));
    Real vy(start = -1.5, fixed = true) = der(y);
  end CornerInEquations;

  model CornerTwice "One speed too many"
    extends CornerAtJoints(sx(v(start = 7, fixed = true)));
  end CornerTwice;

  model CornerTwiceInEquations "Both speeds are fixed, in variables of equations"
    extends CornerInEquations;
    Real vx(start = 7, fixed = true) = der(x);
  end CornerTwiceInEquations;

  model CornerAskedFor "Initial equations ask for both speeds"
    extends Corner(x(start = 3, fixed = true));
  initial equation
    der(y) = -1.5;
    der(x) = 7;
  end CornerAskedFor;

  model CornerOpen "Both places are fixed, in variables of equations"
    extends Corner(x(start = 3, fixed = true), y(start = 3, fixed = true));
  end CornerOpen;

  model CornerOpenAskedFor "An initial equation asks for one of them"
    extends Corner(x(start = 3, fixed = true));
  initial equation
    y = 3.5;
  end CornerOpenAskedFor;

  model CornerAskedForOnce "One place and one speed by initial equations"
    extends Corner;
  initial equation
    x = 3;
    der(y) = -1.5;
  end CornerAskedForOnce;

  model RollingPair "Two wheels of 0.1 m, 0.5 m apart, that roll with 1 and 2 rad/s"
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.RollingWheelSet pair(R_wheel = 0.1, m_wheel = 0.5, I_wheelAxis = 0.01, I_wheelLong = 0.02, track = 0.5, x(start = 3), phi(start = 0.3), der_theta1(start = 1), der_theta2(start = 2));
  end RollingPair;

  model KeptPlace "Of a ball on a rod of 0.5 m two coordinates and the speed along x are fixed"
    inner World world(g = 9.81, n = {0, 0, -1});
    Joints.SphericalSpherical rod(rodLength = 0.5);
    Parts.PointMass ball(r_0(start = {0.3, 0, -0.1}, fixed = {true, true, false}), v_0(start = {1, 0, 0}, fixed = {true, true, false}));
  equation
    connect(world.frame_b, rod.frame_a);
    connect(rod.frame_b, ball.frame_a);
  end KeptPlace;

  model KeptTooFar "Where the rod does not reach"
    extends KeptPlace(ball(r_0(start = {1, 0, 0}, fixed = {true, true, true})));
  end KeptTooFar;

  model KeptTooFast "Along the rod"
    extends KeptPlace(ball(r_0(start = {0.5, 0, 0})));
  end KeptTooFast;

  partial model Wrench "A rod of 0.5 m from the world to the end of an arm of 0.3 m, which starts 0.6 m away; the arm points along y"
    inner World world(gravityType = World.GravityType.NoGravity);
    Joints.SphericalSpherical rod(rodLength = 0.5);
    Parts.FixedTranslation arm(r = {0.3, 0, 0});
  equation
    connect(world.frame_b, rod.frame_a);
    connect(rod.frame_b, arm.frame_b);
  end Wrench;

  model KeptAngles "The angles of a free body are fixed, and its angular velocity"
    extends Wrench;
    Parts.Body body(I_11 = 0.1, I_22 = 0.1, I_33 = 0.1, r_0(start = {0.6, -0.3, 0}), angles_fixed = true, angles_start = {0, 0, pi/2}, w_0_fixed = true, w_0_start = {0, 0, 2});
  equation
    connect(body.frame_a, arm.frame_a);
  end KeptAngles;

  model KeptAnglesOfJoint "Those of free motion"
    extends Wrench;
    Joints.FreeMotion free(r_rel_a(start = {0.6, -0.3, 0}), angles_fixed = true, angles_start = {0, 0, pi/2}, w_rel_a_fixed = true, w_rel_a_start = {0, 0, 2});
    Parts.Body body(I_11 = 0.1, I_22 = 0.1, I_33 = 0.1);
  equation
    connect(world.frame_b, free.frame_a);
    connect(free.frame_b, body.frame_a);
    connect(body.frame_a, arm.frame_a);
  end KeptAnglesOfJoint;

  model KeptAngleInPlane "One coordinate of three is fixed, and one speed"
    extends Wrench;
    Joints.Planar plane(s_x(start = 0.6), s_y(start = -0.3), phi(start = pi/2, fixed = true), w(start = 2, fixed = true));
    Parts.Body body(I_11 = 0.1, I_22 = 0.1, I_33 = 0.1);
  equation
    connect(world.frame_b, plane.frame_a);
    connect(plane.frame_b, body.frame_a);
    connect(body.frame_a, arm.frame_a);
  end KeptAngleInPlane;

  model KeptEverything "Where the rod does not reach"
    extends KeptAngles(body(r_0(each fixed = true)));
  end KeptEverything;

  partial model Arm "Two links of 0.5 m in the plane; the elbow is on the left"
    inner World world(g = 9.81);
    replaceable Joints.Revolute shoulder, elbow(phi(start = 1));
    Parts.BodyBox upper(r = {0.5, 0, 0}, width = 0.05), lower(r = {0.5, 0, 0}, width = 0.05);
  equation
    connect(world.frame_b, shoulder.frame_a);
    connect(shoulder.frame_b, upper.frame_a);
    connect(upper.frame_b, elbow.frame_a);
    connect(elbow.frame_b, lower.frame_a);
  end Arm;

  model ArmOfTip "Place and velocity of a body at the tip are fixed"
    extends Arm;
    Parts.Body tip(m = 0.1, r_0(start = {0.7, 0.3, 0}, fixed = {true, true, false}), v_0(start = {1, -0.5, 0}, fixed = {true, true, false}));
  equation
    connect(lower.frame_b, tip.frame_a);
  end ArmOfTip;

  model DrivenArmOfTip "The same where equations own the shoulder"
    extends ArmOfTip(shoulder(useAxisFlange = true));
    Rotational.Components.Damper damper(d = 0.1);
  equation
    connect(damper.flange_a, shoulder.support);
    connect(damper.flange_b, shoulder.axis);
  end DrivenArmOfTip;

  model ArmSeenFromShelf "Fixed as the motion of free motion beside the joints, seen from a shelf that is turned by 90 degrees"
    extends Arm;
    Parts.Fixed shelf(r = {0.2, 0, 0}, angles = {0, 0, pi/2});
    Joints.FreeMotion seen(r_rel_a(start = {0.3, -0.5, 0}, fixed = {true, true, false}), v_rel_a(start = {-0.5, -1, 0}, fixed = {true, true, false}));
  equation
    connect(shelf.frame_b, seen.frame_a);
    connect(seen.frame_b, lower.frame_b);
  end ArmSeenFromShelf;

  model ArmTooShort "The tip cannot be there"
    extends ArmOfTip(tip(r_0(start = {1.2, 0, 0})));
  end ArmTooShort;

  model ArmFixedTwice "The shoulder is fixed in equations, too"
    extends DrivenArmOfTip(damper(phi_rel(start = 0.2, fixed = true)));
  end ArmFixedTwice;

  model ThrownSpring "A ball that starts anywhere, on a spring with a mass"
    inner World world(gravity = {0, -9.81, 0});
    Parts.FixedTranslation arm(r = {1, 0, 0});
    Forces.Spring spring(c = 10, s_unstretched = 0.1, m = 1, lengthFraction = 0.2);
    Parts.Body ball(m = 1, I_11 = 0.2, I_22 = 0.3, I_33 = 0.4, r_0(start = {2.1, -0.2, -0.15}), v_0(start = {1, 0.4, 0.5}), w_0_start = {1, 2, 3});
  equation
    connect(world.frame_b, arm.frame_a);
    connect(arm.frame_b, spring.frame_a);
    connect(spring.frame_b, ball.frame_a);
  end ThrownSpring;

  model AllDriven "A slider-crank all of whose joints equations look at, but the one that closes the loop"
    inner World world(gravityType = World.GravityType.NoGravity);
    Joints.Revolute crank(n = {0, 0, 1}, phi(start = 0.4, fixed = true), w(start = 5, fixed = true));
    Joints.Revolute knee(n = {0, 0, 1});
    Parts.FixedTranslation r(r = {0.2, 0, 0}), l(r = {0.5, 0, 0});
    Parts.Body disc(m = 1, I_11 = 0.05, I_22 = 0.05, I_33 = 0.1), slider(m = 3);
    Joints.Constraints.Spherical line(x_locked = false, z_locked = false) "The end of the rod stays on the x axis";
    Units.Angle a = crank.phi, b = knee.phi;
  equation
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, disc.frame_a);
    connect(crank.frame_b, r.frame_a);
    connect(r.frame_b, knee.frame_a);
    connect(knee.frame_b, l.frame_a);
    connect(l.frame_b, slider.frame_a);
    connect(world.frame_b, line.frame_a);
    connect(line.frame_b, slider.frame_a);
    annotation(experiment(StopTime = 3, Tolerance = 1e-9));
  end AllDriven;

  model WheelBesidePair "A wheel set, then a wheel: each stays on the ground and rolls"
    inner World world(gravity = {0, 0, -9.81});
    Parts.RollingWheelSet pair(R_wheel = 0.1, m_wheel = 0.5, I_wheelAxis = 0.0025, I_wheelLong = 0.002, track = 0.4, der_theta1(start = 2), der_theta2(start = 2));
    Parts.RollingWheel wheel(radius = 0.3, m = 2, I_axis = 0.09, I_long = 0.045, x(start = 2), der_angles(start = {0, 3, 0}));
    Sensors.AbsolutePosition place(resolveInFrame = Types.ResolveInFrame.world);
  equation
    connect(wheel.frame_a, place.frame_a);
  end WheelBesidePair;

  model WheelBesideJoint "A wheel, then one whose mass is a body"
    inner World world(gravity = {0, 0, -9.81});
    Parts.RollingWheel wheel(radius = 0.3, m = 2, I_axis = 0.09, I_long = 0.045, x(start = 2), der_angles(start = {0, 3, 0}));
    Joints.RollingWheel other(radius = 0.2);
    Parts.Body body(m = 1, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1);
    Sensors.AbsolutePosition place(resolveInFrame = Types.ResolveInFrame.world);
  equation
    connect(other.frame_a, body.frame_a);
    connect(wheel.frame_a, place.frame_a);
  end WheelBesideJoint;

  model WheelBesideCart "A cart with a wheel that rolls, then a wheel"
    inner World world(gravity = {0, 0, -9.81});
    Parts.Fixed height(r = {0, 0, 0.1});
    Joints.Prismatic ground(n = {1, 0, 0}, v(start = 0.2, fixed = true));
    Parts.Body cart(m = 2);
    Joints.Revolute axle(n = {0, 1, 0});
    Parts.Body rim(m = 0.5, I_22 = 0.01, I_11 = 0.02, I_33 = 0.02);
    Joints.RollingConstraint rolling(radius = 0.1, lateralSlidingConstraint = false);
    Parts.RollingWheel wheel(radius = 0.3, m = 2, I_axis = 0.09, I_long = 0.045, x(start = 2), der_angles(start = {0, 3, 0}));
    Sensors.AbsolutePosition place(resolveInFrame = Types.ResolveInFrame.world);
  equation
    connect(height.frame_b, ground.frame_a);
    connect(ground.frame_b, cart.frame_a);
    connect(cart.frame_a, axle.frame_a);
    connect(axle.frame_b, rim.frame_a);
    connect(rolling.frame_a, rim.frame_a);
    connect(wheel.frame_a, place.frame_a);
  end WheelBesideCart;

  model FallingWheel "A wheel that does not roll tips over until it lies flat"
    inner World world(gravity = {0, 0, -9.81});
    Parts.RollingWheel wheel(radius = 0.3, m = 1, I_axis = 0.1, I_long = 0.05, angles(start = {0, 0, 0.3}));
  end FallingWheel;

  model BrokenWheel "Two wheels roll; one is let go"
    inner World world(gravity = {0, 0, -9.81});
    Parts.RollingWheel wheel(radius = 0.3, m = 2, I_axis = 0.09, I_long = 0.045, der_angles(start = {0, 3, 0}));
    Parts.RollingWheel other(radius = 0.3, m = 2, I_axis = 0.09, I_long = 0.045, x(start = 2), der_angles(start = {0, 3, 0}));
    Sensors.AbsolutePosition place(resolveInFrame = Types.ResolveInFrame.world);
    Actions.Break letGo(at = 0.1, a = "wheel");
  equation
    connect(wheel.frame_a, place.frame_a);
  end BrokenWheel;

  model UprightWheel "A wheel rolls straight on, more than two turns, not along an axis of the world"
    inner World world(gravity = {0, 0, -9.81});
    Parts.RollingWheel wheel(radius = 0.3, m = 2, I_axis = 0.09, I_long = 0.045, angles(start = {0.5, 0, 0}), der_angles(start = {0, 5, 0}));
  end UprightWheel;

  model HeavyLine "A ball of 1 kg on a vertical spring of 200 N/m, 0.6 kg of which move at 0.3 of its length"
    inner World world(gravity = {0, 0, -9.81});
    Forces.LineForceWithMass line(m = 0.6, lengthFraction = 0.3);
    Translational.Components.Spring spring(c = 200, s_rel0 = 0.5);
    Parts.Body ball(m = 1, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1, r_0(start = {0, 0, -0.6}));
  equation
    connect(world.frame_b, line.frame_a);
    connect(line.frame_b, ball.frame_a);
    connect(line.flange_a, spring.flange_a);
    connect(line.flange_b, spring.flange_b);
  end HeavyLine;

  model HeavySpring "The same as one part"
    inner World world(gravity = {0, 0, -9.81});
    Forces.Spring line(c = 200, s_unstretched = 0.5, m = 0.6, lengthFraction = 0.3);
    Parts.Body ball(m = 1, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1, r_0(start = {0, 0, -0.6}));
  equation
    connect(world.frame_b, line.frame_a);
    connect(line.frame_b, ball.frame_a);
  end HeavySpring;

  model Damped "The same with a damper: der(length) is asked for"
    extends HeavyLine;
    Translational.Components.Damper damper(d = 3);
  equation
    connect(line.flange_a, damper.flange_a);
    connect(line.flange_b, damper.flange_b);
  end Damped;

  model Governor "A ball goes round on a spring with a mass near either end, and wobbles"
    parameter Real g = 0;
    inner World world(gravity = {0, -g, 0});
    Forces.LineForceWithTwoMasses line(m_a = 0.7, L_a = 0.15, m_b = 0.5, L_b = 0.1);
    Translational.Components.Spring spring(c = 200, s_rel0 = 0.5);
    Parts.Body ball(m = 1, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1, r_0(start = {0.7, 0, 0}), v_0(start = {0, 2, 0}));
    Sensors.AbsolutePosition place;
    Sensors.AbsoluteVelocity speed;
  equation
    connect(world.frame_b, line.frame_a);
    connect(line.frame_b, ball.frame_a);
    connect(line.flange_a, spring.flange_a);
    connect(line.flange_b, spring.flange_b);
    connect(ball.frame_a, place.frame_a);
    connect(ball.frame_a, speed.frame_a);
  end Governor;

  model HeavyGovernor "With gravity in the plane"
    extends Governor(g = 9.81);
  end HeavyGovernor;

  function inWorld "From the axes of the disc to those of the world"
    input Real R[3, 3];
    input Real w[3] "In the axes of the disc";
    input Real a[3];
    output Real b[3];
  algorithm
    b := R*a;
    annotation(Inline = true, derivative(noDerivative = w, noDerivative = R) = inWorldRate);
  end inWorld;

  function inWorldRate "Its derivative: that of R is not asked for"
    input Real R[3, 3];
    input Real w[3];
    input Real a[3];
    input Real a_rate[3];
    output Real b[3];
  algorithm
    b := inWorld(R, w, a_rate + cross(w, a));
    annotation(Inline = true);
  end inWorldRate;

  function spin "Angular velocity in the axes of the disc"
    input Real angles[3];
    input Real rates[3];
    output Real w[3];
  algorithm
    w := {rates[3] - sin(angles[2])*rates[1], cos(angles[3])*rates[2] + sin(angles[3])*cos(angles[2])*rates[1], -sin(angles[3])*rates[2] + cos(angles[3])*cos(angles[2])*rates[1]};
    annotation(Inline = true);
  end spin;

  model DiscInEquations "The same disc in equations: its height is held, and two velocities"
    parameter Real radius = 0.3, m = 2, g = 9.81;
    parameter Real I[3] = {0.045, 0.09, 0.045} "Along the axes of the disc; y is its axis";
    Real x(start = 0.1, fixed = true, stateSelect = StateSelect.always), y(start = -0.2, fixed = true, stateSelect = StateSelect.always), z;
    Real angles[3](start = {0.2, 0.3, 0.4}, each fixed = true, each stateSelect = StateSelect.always) "About z, y, x";
    Real rates[3](start = {0.5, 6, -0.7}, each fixed = true, each stateSelect = StateSelect.always);
    Real R[3, 3] "Columns are the axes of the disc";
    Real w[3](each stateSelect = StateSelect.avoid) "In the axes of the disc", w_0[3] "In the world";
    Real axis[3], across[3], ahead[3], aside[3], down[3], v[3](each stateSelect = StateSelect.avoid), touch[3];
    Real f[3], f_n, f_ahead, f_aside, place[3] "Where it touches", s, u;
    Real up[3] "Of the ground";
  equation
    up = {0, 0, 1};
    rates = der(angles);
    R = [cos(angles[1]), -sin(angles[1]), 0; sin(angles[1]), cos(angles[1]), 0; 0, 0, 1]*[cos(angles[2]), 0, sin(angles[2]); 0, 1, 0; -sin(angles[2]), 0, cos(angles[2])]*[1, 0, 0; 0, cos(angles[3]), -sin(angles[3]); 0, sin(angles[3]), cos(angles[3])];
    w = spin(angles, rates);
    w_0 = inWorld(R, w, w);
    axis = inWorld(R, w, {0, 1, 0});
    across = cross(up, axis);
    ahead = across/sqrt(across*across);
    aside = cross(ahead, up);
    place = {s, u, 0};
    down = place - {x, y, z};
    0 = down*axis;
    0 = down*ahead;
    0 = radius - down*cross(ahead, axis);
    v = {der(x), der(y), der(z)};
    touch = v + cross(w_0, down);
    0 = touch*ahead;
    0 = touch*aside;
    f = f_n*up + f_aside*aside + f_ahead*ahead;
    m*der(v) = f - {0, 0, m*g};
    I.*der(w) + cross(w, I.*w) = transpose(R)*cross(down, f);
  end DiscInEquations;

  model LocksNothing "A constraint with all directions free: the body falls"
    inner World world(g = 9.81, n = {0, 0, -1});
    Joints.Constraints.Spherical constraint(x_locked = false, y_locked = false, z_locked = false);
    Parts.Body body;
  equation
    connect(world.frame_b, constraint.frame_a);
    connect(constraint.frame_b, body.frame_a);
  end LocksNothing;

  model CutAxes "The weight of a body in the axes of both frames of a cut, turned by 0.5 rad"
    inner World world(g = 9.81, n = {0, -1, 0});
    Parts.Fixed turned(angles = {0, 0, 0.5});
    Sensors.CutForce a(resolveInFrame = Types.ResolveInFrame.frame_a);
    Sensors.CutForce b(resolveInFrame = Types.ResolveInFrame.frame_b);
    Parts.Body body(m = 2);
  equation
    connect(turned.frame_b, a.frame_a);
    connect(a.frame_b, b.frame_a);
    connect(b.frame_b, body.frame_a);
  end CutAxes;
end Holds;
