package MechanicsErrors "Mechanical models that are refused"
  import Rattleback.*;

  model NoWorld
    Parts.Body body;
  end NoWorld;

  model TwoWorlds
    inner World world;
    World other;
    Parts.Body body;
  end TwoWorlds;

  model NoMass
    inner World world;
    model Machine
      outer World world;
      Joints.Revolute hinge;
    equation
      connect(world.frame_b, hinge.frame_a);
    end Machine;
    Machine machine[2];
  end NoMass;

  model NoAxis
    inner World world;
    Joints.Revolute hinge(n = {0, 0, 0});
    Parts.Body body;
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
  end NoAxis;

  model NegativeSize
    inner World world;
    Parts.Solid ball(shape = Shapes.Sphere(-0.1));
  end NegativeSize;

  model NegativeMass
    inner World world;
    Parts.Body body(m = -1);
  end NegativeMass;

  model UnknownMaterial
    inner World world;
    Parts.Solid ball(shape = Shapes.Sphere(0.1), material = "Stel");
  end UnknownMaterial;

  model Adrift
    inner World world;
    Parts.FixedTranslation rod(r = {1, 0, 0});
  end Adrift;

  model FlangeToFrame
    inner World world;
    Joints.Revolute hinge(useAxisFlange = true);
    Parts.Body body;
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
    connect(hinge.axis, body.frame_a);
  end FlangeToFrame;

  model NoFile
    inner World world(materials = "nowhere.json");
    Parts.Body body;
  end NoFile;

  model UnknownPair
    inner World world(n = {0, 0, -1});
    Parts.Solid table(shape = Shapes.Box(1, 1, 0.1), material = "Steel", contactMaterial = "Cheese", fixed = true);
    Parts.Solid ball(shape = Shapes.Sphere(0.1), material = "Steel", r = {0, 0, 0.2});
  end UnknownPair;

  model UnknownInAction "The joint of an action"
    import Rattleback.*;
    inner World world;
    Joints.Revolute hinge;
    Parts.Body body;
    Actions.Lock lock(at = 1, a = "hing");
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
  end UnknownInAction;

  model NoMeshFile
    inner World world;
    Parts.Mesh part(fileName = "nowhere.stl");
  end NoMeshFile;

  partial model Bars "Four bars"
    inner World world;
    parameter Real far(unit = "m") = 1 "Where the rocker is held";
    Parts.Fixed ground(r = {far, 0, 0});
    Joints.Revolute crank, coupler, rocker, pin;
    Parts.FixedTranslation bar[3](r = {{0.3, 0, 0}, {0.9, 0, 0}, {0.7, 0, 0}});
    Parts.Body body[3](each m = 1);
  equation
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, bar[1].frame_a);
    connect(bar[1].frame_b, coupler.frame_a);
    connect(coupler.frame_b, bar[2].frame_a);
    connect(ground.frame_b, rocker.frame_a);
    connect(rocker.frame_b, bar[3].frame_a);
    connect(bar[2].frame_b, pin.frame_a);
    connect(bar[3].frame_b, pin.frame_b);
    for i in 1:3 loop
      connect(bar[i].frame_a, body[i].frame_a);
    end for;
  end Bars;

  model Open "0.3 + 0.9 + 0.7 m do not reach 3 m"
    extends Bars(far = 3, crank(phi(start = 0.5)), coupler(phi(start = -0.9)), rocker(phi(start = 2)));
  end Open;

  model Twice "Held rigidly in two ways"
    inner World world;
    Parts.FixedTranslation a(r = {1, 0, 0}), b(r = {1, 0, 0});
    Parts.Body body;
  equation
    connect(world.frame_b, a.frame_a);
    connect(world.frame_b, b.frame_a);
    connect(a.frame_b, body.frame_a);
    connect(b.frame_b, body.frame_a);
  end Twice;

  model Contradiction "A loop whose fixed start values cannot be true together"
    extends Bars(crank(phi(start = 0.5, fixed = true)), rocker(phi(start = 0.1, fixed = true)));
  end Contradiction;

  model UnknownInSensor
    inner World world;
    Parts.Solid ball(shape = Shapes.Sphere(0.1));
    Sensors.Contact touch(a = "bal");
  end UnknownInSensor;

  model NegativeInertia
    inner World world;
    Parts.Body body(I_11 = -1);
  end NegativeInertia;

  model TooDeep "A contact that has no law, in a mechanism with a drive"
    inner World world;
    Joints.Prismatic slide(n = {0, 1, 0}, s(start = 0.1, fixed = true), useAxisFlange = true, canCollide = true);
    Parts.Solid head(shape = Shapes.Sphere(0.5), material = "Steel");
    Parts.Solid table(shape = Shapes.Box(2, 0.2, 2), material = "Steel", fixed = true);
    Translational.Components.Mass motor(m = 1);
  equation
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, head.frame_a);
    connect(motor.flange_b, slide.axis);
  end TooDeep;

  model EarlyAction "Due before the run starts"
    inner World world(contact = false);
    Parts.Body a(r_0(start = {0, 0, 1})), b;
    Actions.Attach early(at = -1, a = "a", b = "b");
  end EarlyAction;

  model RemovedNothing
    inner World world;
    Parts.Solid wall(shape = Shapes.Box(1, 1, 0.1), fixed = true);
    Parts.Body body(r_0(start = {0, 3, 0}));
    Actions.Remove remove(at = 0.5, a = "");
  end RemovedNothing;

  model BrokenMesh "The file ends in the middle of a facet"
    inner World world;
    Parts.Mesh part(fileName = "../fuzz/corpus/stl/truncated.stl");
  end BrokenMesh;

  model NoPair "Materials of which nothing is known: told before the run, and where they touch"
    inner World world(n = {0, 0, -1});
    Materials.Solid cork(name = "Cork", density = 180, youngsModulus = 2e7, poissonsRatio = 0.1);
    Parts.Solid table(shape = Shapes.Box(1, 1, 0.1), material = "Steel", fixed = true);
    Parts.Solid ball(shape = Shapes.Sphere(0.1), material = "Cork", r = {0, 0, 0.2});
  end NoPair;

  model Overlap
    inner World world(n = {0, 0, -1});
    Parts.Solid table(shape = Shapes.Box(1, 1, 0.4), material = "Steel", fixed = true);
    Parts.Solid ball(shape = Shapes.Sphere(0.1), material = "Steel", r = {0, 0, 0.18});
  end Overlap;

  model NoForce
    inner World world;
    Parts.Body body;
    Forces.WorldForce force;
  equation
    connect(force.frame_b, body.frame_a);
  end NoForce;

  model FreeGround
    inner Rattleback.World world;
    Rattleback.Parts.Solid ground(shape = Rattleback.Shapes.HalfSpace());
  end FreeGround;

  model NoDown
    inner Rattleback.World world(n = {0, 0, 0});
    Rattleback.Parts.Body body;
  end NoDown;

  model TwoStarts
    inner Rattleback.World world;
    Rattleback.Rotational.Components.Inertia wheel(phi(start = 5, fixed = true));
    Rattleback.Joints.Revolute hinge(useAxisFlange = true, phi(start = 1, fixed = true));
    Rattleback.Parts.Body body;
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
    connect(wheel.flange_b, hinge.axis);
  end TwoStarts;

  model TooBouncy
    inner Rattleback.World world;
    Rattleback.Parts.Solid ball(shape = Rattleback.Shapes.Sphere(0.1));
    Rattleback.Materials.Pair pair(a = "Steel", b = "Steel", restitution = 1.5);
  end TooBouncy;

  model UnknownInPair
    inner Rattleback.World world;
    Rattleback.Parts.Solid ball(shape = Rattleback.Shapes.Sphere(0.1));
    Rattleback.Materials.Pair pair(a = "bal", b = "Steel", restitution = 0.5);
  end UnknownInPair;

  model SpringsByRatio
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(nu = 0.3);
  end SpringsByRatio;

  model BowTie
    inner Rattleback.World world;
    Rattleback.Parts.Workpiece work(mesh = Rattleback.Solids.extrude(Rattleback.Solids.Polygon([0, 0; 1, 1; 1, 0; 0, 1]), 1));
  end BowTie;

  model Weightless "A body without mass on a joint"
    inner Rattleback.World world;
    Rattleback.Joints.Revolute hinge;
    Rattleback.Parts.Body body(m = 0, I_11 = 0, I_22 = 0, I_33 = 0);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
  end Weightless;

  model FreeWeightless
    inner Rattleback.World world;
    Rattleback.Parts.Body body(m = 0);
  end FreeWeightless;

  model UnknownAlone "Nothing is there that it could touch"
    inner Rattleback.World world;
    Rattleback.Parts.Body body;
    Rattleback.Parts.CollisionBody shell(material = "Steell");
  equation
    connect(body.frame_a, shell.frame_a);
  end UnknownAlone;

  model NoLength
    inner Rattleback.World world;
    Rattleback.Parts.BodyBox box(r = {0, 0, 0});
  end NoLength;

  model FixedTwice "The hinge decides where the body is"
    inner Rattleback.World world;
    Rattleback.Joints.Revolute hinge;
    Rattleback.Parts.FixedTranslation rod(r = {1, 0, 0});
    Rattleback.Parts.Body body(m = 1, angles_start = {0, 0, 1}, angles_fixed = true);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, rod.frame_a);
    connect(rod.frame_b, body.frame_a);
  end FixedTwice;

  partial model TwoBalls "That a rod is to hold"
    inner Rattleback.World world;
    Rattleback.Parts.Body ball(m = 1, r_0(start = {0, -1, 0}));
  end TwoBalls;

  model NoRod
    extends TwoBalls;
    Rattleback.Joints.SphericalSpherical rod(rodLength = 0);
  equation
    connect(world.frame_b, rod.frame_a);
    connect(rod.frame_b, ball.frame_a);
  end NoRod;

  model NoRodAtAll "Measured, but both ends are in one place"
    extends TwoBalls(ball(r_0(start = {0, 0, 0})));
    Rattleback.Joints.SphericalSpherical rod(computeRodLength = true);
  equation
    connect(world.frame_b, rod.frame_a);
    connect(rod.frame_b, ball.frame_a);
  end NoRodAtAll;

  model LightRod
    extends TwoBalls;
    Rattleback.Joints.SphericalSpherical rod(m = -1);
  equation
    connect(world.frame_b, rod.frame_a);
    connect(rod.frame_b, ball.frame_a);
  end LightRod;

  model MassLessRod "There is no body at all"
    inner Rattleback.World world;
    Rattleback.Joints.SphericalSpherical rod(computeRodLength = true);
  equation
    connect(world.frame_b, rod.frame_a);
    // its other end is free
  end MassLessRod;

  model AxisAlongRod "By its parameters"
    extends TwoBalls;
    Rattleback.Joints.UniversalSpherical rod(n1_a = {2, 0, 0}, rRod_ia = {1, 0, 0});
  equation
    connect(world.frame_b, rod.frame_a);
    connect(rod.frame_b, ball.frame_a);
  end AxisAlongRod;

  model AxisAlongRodAtStart "Where the ball starts"
    extends TwoBalls;
    Rattleback.Joints.UniversalSpherical rod(n1_a = {0, 1, 0});
    Rattleback.Parts.Visual mark;
  equation
    connect(world.frame_b, rod.frame_a);
    connect(rod.frame_ia, mark.frame_a);
    connect(rod.frame_b, ball.frame_a);
  end AxisAlongRodAtStart;

  model ShortRod "0.5 m for two pins that are 1 m and 3 m away"
    inner Rattleback.World world;
    Rattleback.Parts.Fixed there(r = {4, 0, 0});
    Rattleback.Joints.Revolute one(n = {0, 0, 1}), two(n = {0, 0, 1});
    Rattleback.Parts.BodyBox a(r = {1, 0, 0}), b(r = {0, 1, 0});
    Rattleback.Joints.SphericalSpherical rod(rodLength = 0.5);
  equation
    connect(world.frame_b, one.frame_a);
    connect(one.frame_b, a.frame_a);
    connect(there.frame_b, two.frame_a);
    connect(two.frame_b, b.frame_a);
    connect(a.frame_b, rod.frame_a);
    connect(rod.frame_b, b.frame_b);
  end ShortRod;

  model HeldInPlace "A constraint between parts that are one"
    inner Rattleback.World world;
    Rattleback.Parts.FixedTranslation rod(r = {1, 0, 0});
    Rattleback.Joints.Constraints.Spherical pin;
  equation
    connect(world.frame_b, rod.frame_a);
    connect(rod.frame_b, pin.frame_a);
    connect(pin.frame_b, world.frame_b);
  end HeldInPlace;

  model NoAxisOfConstraint
    extends TwoBalls;
    Rattleback.Joints.Constraints.Revolute hinge(n = {0, 0, 0});
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, ball.frame_a);
  end NoAxisOfConstraint;

  model TooFar "The constraint wants the origin, but the ball is fixed elsewhere by a joint"
    inner Rattleback.World world;
    Rattleback.Joints.Prismatic slide(n = {1, 0, 0}, s(start = 2, fixed = true));
    Rattleback.Parts.Body ball(m = 1);
    Rattleback.Joints.Constraints.Spherical pin;
  equation
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, ball.frame_a);
    connect(world.frame_b, pin.frame_a);
    connect(pin.frame_b, ball.frame_a);
  end TooFar;

  model NoRadius
    inner Rattleback.World world;
    Rattleback.Parts.RollingWheel wheel(radius = 0, m = 1, I_axis = 1, I_long = 1);
  end NoRadius;

  model FlatWheel
    inner Rattleback.World world;
    Rattleback.Parts.RollingWheel wheel(radius = 0.3, m = 1, I_axis = 1, I_long = 1, angles(start = {0, 0, 1.570796326794897}));
  end FlatWheel;

  model LockedRod
    extends ShortRod(rod(rodLength = 3));
    Rattleback.Actions.Lock lock(at = 0.1, a = "rod");
  end LockedRod;

  model OffTheLine
    extends TwoBalls;
    Rattleback.Forces.LineForceWithMass line(m = 1, lengthFraction = 1.5);
  equation
    connect(world.frame_b, line.frame_a);
    connect(line.frame_b, ball.frame_a);
  end OffTheLine;

  model LightLine
    extends TwoBalls;
    Rattleback.Forces.LineForceWithTwoMasses line(m_a = 1, m_b = -2);
  equation
    connect(world.frame_b, line.frame_a);
    connect(line.frame_b, ball.frame_a);
  end LightLine;

  model ThroughItself "Two tetrahedra that overlap, as one mesh"
    inner Rattleback.World world;
    Rattleback.Parts.Workpiece work(mesh = Rattleback.Solids.TriangleMesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}, {1.1, 0.1, 0.1}, {0.1, 1.1, 0.1}, {0.1, 0.1, 1.1}},
      {{1, 3, 2}, {1, 2, 4}, {2, 3, 4}, {1, 4, 3}, {5, 7, 6}, {5, 6, 8}, {6, 7, 8}, {5, 8, 7}}));
  end ThroughItself;

  model TightBend "Of a pipe that is wider than its way is long"
    inner Rattleback.World world;
    Rattleback.Parts.Workpiece work(mesh = Rattleback.Solids.sweep(Rattleback.Solids.Circle(0.5), {{0, 0, 0}, {0.1, 0, 0}, {0.1, 0.1, 0}}));
  end TightBend;

  model SensorWithoutFrame
    inner Rattleback.World world;
    Rattleback.Parts.Body body;
    Rattleback.Sensors.AbsoluteVelocity speed(resolveInFrame = Rattleback.Types.ResolveInFrame.frame_b);
  equation
    connect(speed.frame_a, body.frame_a);
  end SensorWithoutFrame;

  model ForceWithoutFrame
    inner Rattleback.World world;
    Rattleback.Parts.Body body;
    Rattleback.Forces.WorldForce force(resolveInFrame = Rattleback.Types.ResolveInFrame.frame_a, force = {1, 0, 0});
  equation
    connect(force.frame_b, body.frame_a);
  end ForceWithoutFrame;

  model SoftHalfSpace
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(shape = Rattleback.Shapes.HalfSpace());
  end SoftHalfSpace;

  model SoftNone
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(shape = Rattleback.Shapes.None());
  end SoftNone;

  model SoftAxes
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(shape = Rattleback.Shapes.CoordinateSystem(0.1));
  end SoftAxes;

  model SoftGrid
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(shape = Rattleback.Shapes.Grid(1, 1, 0.1));
  end SoftGrid;

  model SoftSpring
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(shape = Rattleback.Shapes.Spring(0.1, 0.02, 0.002, 5));
  end SoftSpring;

  model SoftGear
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(shape = Rattleback.Shapes.GearWheel(0.1, 0.02, 20));
  end SoftGear;

  model SoftText
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(shape = Rattleback.Shapes.Text(0.1));
  end SoftText;

  model SoftOrder
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(order = 3, law = Rattleback.Types.SoftLaw.corotated);
  end SoftOrder;

  model SoftRadius
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(moleculeRadius = -1);
  end SoftRadius;

  model LockedWheel
    inner Rattleback.World world;
    Rattleback.Parts.RollingWheel wheel(radius = 0.3, m = 1, I_axis = 0.1, I_long = 0.1);
    Rattleback.Actions.Lock lock(at = 0.1, a = "wheel");
  end LockedWheel;

  model MovedWithoutPair
    inner Rattleback.World world;
    Rattleback.Materials.Solid cork(name = "Cork");
    Rattleback.Contact.Moved drive(r = {2*time, 0, 0});
    Rattleback.Contact.CollisionBody bat(shape = Rattleback.Shapes.Sphere(0.1), material = "Cork");
    Rattleback.Parts.Solid ball(shape = Rattleback.Shapes.Sphere(0.1), r = {0.2, 0, 0});
  equation
    connect(drive.frame_b, bat.frame_a);
  end MovedWithoutPair;

  model UnknownIgnored
    inner Rattleback.World world;
    Rattleback.Contact.CollisionBody bat(ignore = {"bal"});
    Rattleback.Contact.Moved drive(r = {2*time, 0, 0});
    Rattleback.Parts.Solid ball(shape = Rattleback.Shapes.Sphere(0.1), r = {0.2, 0, 0});
  equation
    connect(drive.frame_b, bat.frame_a);
  end UnknownIgnored;

  model TwoMotions "One loop, one freedom, two motions that are prescribed"
    inner Rattleback.World world;
    Rattleback.Joints.Revolute crank(useAxisFlange = true);
    Rattleback.Parts.FixedTranslation pin(r = {0.2, 0, 0});
    Rattleback.Joints.SphericalSpherical rod(rodLength = 0.5);
    Rattleback.Joints.Prismatic slide(useAxisFlange = true, s(start = 0.7));
    Rattleback.Parts.Body disc, slider;
    Rattleback.Rotational.Sources.Position turn(phi_ref = time);
    Rattleback.Translational.Sources.Position push(s_ref = 0.7 + time);
  equation
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, pin.frame_a);
    connect(crank.frame_b, disc.frame_a);
    connect(pin.frame_b, rod.frame_a);
    connect(rod.frame_b, slider.frame_a);
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, slider.frame_a);
    connect(turn.flange, crank.axis);
    connect(push.flange, slide.axis);
  end TwoMotions;

  model FixedAtRest
    inner Rattleback.World world(steadyStart = true);
    Rattleback.Joints.Revolute hinge(c = 10, phi(start = 0.5));
    Rattleback.Parts.FixedTranslation rod(r = {1, 0, 0});
    Rattleback.Parts.Body body(m = 1, r_0(start = {0.8, 0, 0}, fixed = {true, false, false}));
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, rod.frame_a);
    connect(rod.frame_b, body.frame_a);
  end FixedAtRest;

  model SeenOnly "Runs: bodies touch only if this is said"
    inner Rattleback.World world;
    Rattleback.Parts.BodyShape seen(shape = Rattleback.Shapes.Sphere(0.1)), touching(shape = Rattleback.Shapes.Sphere(0.1), r_0(start = {1, 0, 0}), material = "Steel", collidable = true);
    Rattleback.Parts.BodyShape belt(shape = Rattleback.Shapes.Sphere(0.1), r_0(start = {2, 0, 0}), material = "Steel");
  end SeenOnly;

  model SoftMaterialUnknown
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(points = [0, 0, 0; 0.01, 0, 0], materials = {Rattleback.Parts.SoftMaterial()}, pointMaterials = {0, 2});
  end SoftMaterialUnknown;

  model SoftMaterialNegative
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(points = [0, 0, 0; 0.01, 0, 0], materials = {Rattleback.Parts.SoftMaterial()}, pointMaterials = {-1, 0});
  end SoftMaterialNegative;

  model SoftMaterialsShort
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(points = [0, 0, 0; 0.01, 0, 0], pointMaterials = {0});
  end SoftMaterialsShort;

  model SoftMaterialsOfShape
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(materials = {Rattleback.Parts.SoftMaterial()}, pointMaterials = {0, 1});
  end SoftMaterialsOfShape;

  model SoftMaterialOrder
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(points = [0, 0, 0; 0.01, 0, 0], materials = {Rattleback.Parts.SoftMaterial(order = 3)}, pointMaterials = {0, 1});
  end SoftMaterialOrder;

  model SoftMaterialRange
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(points = [0, 0, 0; 0.01, 0, 0], materials = {Rattleback.Parts.SoftMaterial(E = 0)}, pointMaterials = {0, 1});
  end SoftMaterialRange;

  model SoftMaterialMixed
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(points = [0, 0, 0; 0.01, 0, 0], materials = {Rattleback.Parts.SoftMaterial(law = Rattleback.Types.SoftLaw.corotated)}, pointMaterials = {0, 1});
  end SoftMaterialMixed;

  model NoModulus "Told at the material, before the run and when the ball has fallen"
    inner Rattleback.World world(gravity = {0, 0, -9.81});
    Rattleback.Materials.Solid jelly(name = "Jelly", youngsModulus = 0);
    Rattleback.Materials.Pair pair(a = "Jelly", b = "Steel");
    Rattleback.Parts.Solid table(shape = Rattleback.Shapes.Box(1, 1, 0.1), material = "Steel", fixed = true);
    Rattleback.Parts.Solid ball(shape = Rattleback.Shapes.Sphere(0.1), material = "Jelly", r = {0, 0, 0.11});
  end NoModulus;

  model NoModulusOfMesh
    inner Rattleback.World world;
    Rattleback.Materials.Solid jelly(name = "Jelly", youngsModulus = 0);
    Rattleback.Materials.Pair pair(a = "Jelly", b = "Steel");
    Rattleback.Parts.Workpiece table(mesh = Rattleback.Solids.Box({1, 1, 0.1}), material = "Steel", fixed = true);
    Rattleback.Parts.Solid ball(shape = Rattleback.Shapes.Sphere(0.1), material = "Jelly", r = {0, 0, 1});
  end NoModulusOfMesh;

  model NoModulusOfGrains
    inner Rattleback.World world;
    Rattleback.Particles.Grid grains(n = 2, E = 0);
  end NoModulusOfGrains;

  model NegativeModulus
    inner Rattleback.World world;
    Rattleback.Materials.Solid jelly(name = "Jelly", youngsModulus = -1);
  end NegativeModulus;

  model GrainsOfStiffness
    inner Rattleback.World world;
    Rattleback.Materials.Pair pair(a = "DryWood", b = "Steel", stiffness = 1e5);
    Rattleback.Parts.Solid table(shape = Rattleback.Shapes.Box(1, 1, 0.1), material = "DryWood", fixed = true);
    Rattleback.Particles.Grid grains(n = 2, material = "Steel", low = {0, 0, 1}, high = {1, 1, 2});
  end GrainsOfStiffness;

  model SurfaceOfStiffness
    inner Rattleback.World world;
    Rattleback.Materials.Pair pair(a = "DryWood", b = "Steel", stiffness = 1e5);
    Rattleback.Parts.Solid table(shape = Rattleback.Shapes.Box(1, 1, 0.1), material = "DryWood", fixed = true);
    Rattleback.Parts.Workpiece work(mesh = Rattleback.Solids.Box({0.1, 0.1, 0.1}), material = "Steel", r = {0, 0, 1});
  end SurfaceOfStiffness;

  model OverlappingPieces "Told: three boxes, the second half in the first"
    inner Rattleback.World world;
    Rattleback.Parts.Pieces part(pieces = {Rattleback.Solids.translate(Rattleback.Solids.Box({1, 1, 1}), {x, 0, 0}) for x in {0, 0.5, 1.5}});
  end OverlappingPieces;

  model ConcavePiece "Told: a quarter of the cube is missing; the hull has half of that"
    inner Rattleback.World world;
    Rattleback.Parts.Pieces part(pieces = {Rattleback.Solids.Box({1, 1, 1}) - Rattleback.Solids.translate(Rattleback.Solids.Box({1, 1, 1}), {0.5, 0.5, 0})});
  end ConcavePiece;

  model NoSolid
    inner Rattleback.World world;
    Rattleback.Parts.Workpiece work;
  end NoSolid;

  model NoSolidFile
    inner Rattleback.World world;
    Rattleback.Parts.Workpiece work(mesh = Rattleback.Solids.File("none.stl"));
  end NoSolidFile;

  model PolygonAsSolid
    inner Rattleback.World world;
    Rattleback.Parts.Workpiece work(mesh = Rattleback.Solids.Circle(0.1));
  end PolygonAsSolid;

  model ManyTriangles
    inner Rattleback.World world;
    Rattleback.Parts.Workpiece work(mesh = Rattleback.Solids.Sphere(0.1, 5000));
  end ManyTriangles;

  model DeepMeshes
    inner Rattleback.World world;
    Rattleback.Parts.Workpiece still(mesh = Rattleback.Solids.Box({1, 1, 1}), fixed = true);
    Rattleback.Parts.Workpiece work(mesh = Rattleback.Solids.Box({1, 1, 1}), r = {0.5, 0.5, 0.5});
  end DeepMeshes;

  model SoftMaterialUnused "Told: no point has it"
    inner Rattleback.World world;
    Rattleback.Parts.SoftBody soft(points = [0, 0, 0; 0.01, 0, 0], materials = {Rattleback.Parts.SoftMaterial()});
  end SoftMaterialUnused;

  model WorldNotInner
    Rattleback.World world;
    Rattleback.Parts.Body body(m = 1);
  end WorldNotInner;

  model WorldOfAnotherName
    inner Rattleback.World earth;
    Rattleback.Parts.Body body(m = 1);
  end WorldOfAnotherName;

  model UnknownToGrains
    inner Rattleback.World world;
    Rattleback.Parts.Solid drum(shape = Rattleback.Shapes.Box(1, 1, 0.1), fixed = true);
    Rattleback.Particles.Grid grains(n = 3, low = {0, 0, 0.1});
    Rattleback.Particles.PartSensor sensor(part = "drumm");
  end UnknownToGrains;

  model NoGrainFile
    inner Rattleback.World world;
    Rattleback.Particles.File grains(fileName = "none.csv");
  end NoGrainFile;

  model SurfacePairOfShapes "Told: none of them is a workpiece"
    inner Rattleback.World world;
    Rattleback.Parts.Solid ground(shape = Rattleback.Shapes.Box(1, 1, 0.1), fixed = true);
    Rattleback.Parts.Solid box(shape = Rattleback.Shapes.Box(0.1, 0.1, 0.1), r = {0, 0, 1});
    Rattleback.Materials.SurfacePair pair(a = "ground", b = "box");
  end SurfacePairOfShapes;

  model LongStep
    inner Rattleback.World world;
    Rattleback.Particles.Grid grains(n = 3, step = 1);
  end LongStep;

  model PushingSpring "Told at the spring of the model, not in the library"
    inner Rattleback.World world;
    Rattleback.Forces.Spring spring(c = -1);
    Rattleback.Parts.Body body(m = 1, r_0(start = {1, 0, 0}));
  equation
    connect(world.frame_b, spring.frame_a);
    connect(spring.frame_b, body.frame_a);
  end PushingSpring;

  partial model GrainsAndPiston "Grains within 0.1 m of the origin, a piston that is 0.4 m long"
    inner Rattleback.World world(g = 0);
    parameter Real s_drive = 0;
    Rattleback.Joints.Prismatic slide(n = {1, 0, 0}, useAxisFlange = true, canCollide = true);
    Rattleback.Parts.Solid piston(shape = Rattleback.Shapes.Box(0.4, 0.4, 0.4));
    Rattleback.Particles.Grid grains(n = 50, low = {-0.1, -0.1, -0.1}, high = {0.1, 0.1, 0.1});
    Rattleback.Translational.Sources.Position drive(s_ref = s_drive);
  equation
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, piston.frame_a);
    connect(drive.flange, slide.axis);
    annotation(experiment(StopTime = 0.001));
  end GrainsAndPiston;

  model DrivenIntoGrains "Its start is apart, the drive has it among them"
    extends GrainsAndPiston(slide(s(start = 2)));
    annotation(experiment(StopTime = 0.001));
  end DrivenIntoGrains;

  model DrivenFromGrains "The other way round: that runs, and nobody is pushed"
    extends GrainsAndPiston(s_drive = 2);
    annotation(experiment(StopTime = 0.001));
  end DrivenFromGrains;

  model DrivenNearGrains "Told: those of the first row, at x = -0.095 m, are in it by 1 mm"
    extends GrainsAndPiston(s_drive = -0.299);
    annotation(experiment(StopTime = 0.001));
  end DrivenNearGrains;

  partial model OnSurface
    import Rattleback.*;
    Parts.Workpiece plate(mesh = Solids.Box({1, 1, 0.2}), material = "Steel", fixed = true);
    Parts.Solid ball(shape = Shapes.Sphere(0.1), material = "Steel", r = {0.5, 0.5, 0.3});
    annotation(experiment(StopTime = 0.01));
  end OnSurface;

  model FunctionOnSurface
    extends OnSurface;
    inner World world;
    Materials.FunctionPair pair(a = "plate", b = "ball");
  end FunctionOnSurface;

  model SpringOnSurface
    extends OnSurface;
    inner World world;
    Materials.Pair pair(a = "plate", b = "ball", stiffness = 1e6);
  end SpringOnSurface;

  model VainOnSurface
    extends OnSurface;
    inner World world(contactDamping = World.ContactDamping.Flores);
    Materials.Pair pair(a = "plate", b = "ball", twistingFriction = 0, faces = Types.Faces.point, friction = Types.Friction.static_, maximumFriction = 5);
    Parts.Solid other(shape = Shapes.Sphere(0.1), material = "Steel", r = {0.5, 0.9, 0.3});
    Materials.SurfacePair chosen(a = "plate", b = "other", length = 0.1, tractions = false, spinDamping = 1);
    Materials.LayerPair unused(a = "ball", b = "other");
  end VainOnSurface;

  model UnusedPairs
    extends OnSurface;
    inner World world;
    Materials.SurfacePair volume(a = "plate", b = "ball");
    Materials.LayerPair layers(a = "plate", b = "ball");
    Materials.Pair shapes(a = "ball", b = "plate");
    Materials.Pair itself(a = "plate", b = "plate");
    Materials.Pair nobody(a = "Steel", b = "DryWood");
    Materials.Pair early(a = "ball", b = "other");
    Materials.Pair late(a = "other", b = "ball");
    Materials.Pair fixed(a = "plate", b = "wall");
    Materials.Pair acts(a = "Steel", b = "Steel");
    Parts.Solid other(shape = Shapes.Sphere(0.1), material = "Steel", r = {0.5, 0.9, 0.3});
    Parts.Solid wall(shape = Shapes.Box(1, 1, 0.1), material = "Steel", r = {0, 0, 10}, fixed = true);
  end UnusedPairs;

  model SpeedOfFixed
    import Rattleback.*;
    inner World world;
    Parts.Workpiece plate(mesh = Solids.Box({1, 1, 0.2}), fixed = true, v = {1, 0, 0});
    annotation(experiment(StopTime = 0.01));
  end SpeedOfFixed;

  model SpeedOfCarried
    import Rattleback.*;
    inner World world;
    Joints.Revolute hinge;
    Parts.Solid bar(shape = Shapes.Box(1, 0.1, 0.1), w = {1, 0, 0});
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, bar.frame_a);
    annotation(experiment(StopTime = 0.01));
  end SpeedOfCarried;

  model PassingSurface "The pipe goes through the wall; it turns above the floor, and the post is too far away"
    import Rattleback.*;
    inner World world(g = 0);
    Joints.Revolute hinge(n = {0, 0, 1});
    Parts.Workpiece pipe(mesh = Solids.Box({1, 0.1, 0.1}));
    Parts.Workpiece floor(mesh = Solids.Box({4, 4, 1}), r = {-2, -2, -1.1}, fixed = true);
    Parts.Solid post(shape = Shapes.Box(0.1, 0.1, 1), r = {0, 1.1, 0}, fixed = true);
    Parts.Workpiece wall(mesh = Solids.Box({0.1, 1, 1}), r = {-0.6, -0.5, 0}, fixed = true);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, pipe.frame_a);
    annotation(experiment(StopTime = 0.01));
  end PassingSurface;

  model NoMaterial
    import Rattleback.*;
    inner World world;
    Parts.Solid part(shape = Shapes.Sphere(0.1), material = "");
    annotation(experiment(StopTime = 0.001));
  end NoMaterial;

  model UnknownContactMaterial
    import Rattleback.*;
    inner World world;
    Parts.Solid part(shape = Shapes.Sphere(0.1), contactMaterial = "Rubbber");
    annotation(experiment(StopTime = 0.001));
  end UnknownContactMaterial;

  model NoSuchAxis
    import Rattleback.*;
    inner World world;
    Parts.Solid ground(shape = Shapes.HalfSpace(4), fixed = true);
    annotation(experiment(StopTime = 0.001));
  end NoSuchAxis;

  model NoKind
    import Rattleback.*;
    inner World world;
    Parts.Solid part(shape = Shapes.Shape(77, 3, zeros(4), 0, 0));
    annotation(experiment(StopTime = 0.001));
  end NoKind;

  model EmptySolid
    import Rattleback.*;
    inner World world;
    Parts.Workpiece work(mesh = Solids.TriangleMesh(""));
    annotation(experiment(StopTime = 0.001));
  end EmptySolid;

  model FailedSolid
    import Rattleback.*;
    inner World world;
    Parts.Workpiece work(mesh = Solids.GenevaWheel(nSlots = 2));
    annotation(experiment(StopTime = 0.001));
  end FailedSolid;

  model FlatBox
    import Rattleback.*;
    inner World world;
    Parts.Workpiece work(mesh = Solids.Box({1, -2, 3}));
    annotation(experiment(StopTime = 0.001));
  end FlatBox;

  model DoubleFace
    import Rattleback.*;
    inner World world;
    Parts.Workpiece work(mesh = Solids.TriangleMesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{1, 2, 3}, {1, 3, 2}}));
    annotation(experiment(StopTime = 0.001));
  end DoubleFace;

  model BristlesWithoutLength
    import Rattleback.*;
    inner World world;
    Materials.SurfacePair pair(a = "Steel", b = "Steel", bristleLength = 0);
    annotation(experiment(StopTime = 0.001));
  end BristlesWithoutLength;

  model NegativeLayer
    import Rattleback.*;
    inner World world;
    Materials.LayerPair pair(a = "Steel", b = "Steel", depth = {0.01, -1});
    annotation(experiment(StopTime = 0.001));
  end NegativeLayer;

  model NoStiffness
    inner Rattleback.World world(elasticContactReductionFactor = 0);
  end NoStiffness;

  model VainExponent
    import Rattleback.*;
    inner World world;
    Parts.Solid ball(shape = Shapes.Sphere(0.1), r = {0, 0, 1});
    Parts.Solid table(shape = Shapes.Box(1, 1, 0.1), fixed = true);
    Materials.Pair pair(a = "Steel", b = "Steel", exponent = 2);
    annotation(experiment(StopTime = 0.001));
  end VainExponent;

  model VainDamper
    import Rattleback.*;
    inner World world;
    Parts.Solid ball(shape = Shapes.Sphere(0.1), r = {0, 0, 1});
    Parts.Solid table(shape = Shapes.Box(1, 1, 0.1), fixed = true);
    Materials.Pair pair(a = "Steel", b = "Steel", damper = 2);
    annotation(experiment(StopTime = 0.001));
  end VainDamper;

  model VainStatic
    import Rattleback.*;
    inner World world;
    Parts.Solid ball(shape = Shapes.Sphere(0.1), r = {0, 0, 1});
    Parts.Solid table(shape = Shapes.Box(1, 1, 0.1), fixed = true);
    Materials.Pair pair(a = "Steel", b = "Steel", staticFriction = 2);
    annotation(experiment(StopTime = 0.001));
  end VainStatic;

  model LowStatic
    import Rattleback.*;
    inner World world;
    Parts.Solid ball(shape = Shapes.Sphere(0.1), r = {0, 0, 1});
    Parts.Solid table(shape = Shapes.Box(1, 1, 0.1), fixed = true);
    Materials.Pair pair(a = "Steel", b = "Steel", slidingFriction = 0.5, staticFriction = 0.1, friction = Types.Friction.curve);
    annotation(experiment(StopTime = 0.001));
  end LowStatic;

  model VainLimit
    import Rattleback.*;
    inner World world;
    Parts.Solid ball(shape = Shapes.Sphere(0.1), r = {0, 0, 1});
    Parts.Solid table(shape = Shapes.Box(1, 1, 0.1), fixed = true);
    Materials.Pair pair(a = "Steel", b = "Steel", maximumFriction = 2);
    annotation(experiment(StopTime = 0.001));
  end VainLimit;

  model VainFile
    import Rattleback.*;
    inner World world;
    Parts.Body body;
    Parts.CollisionBody shape(fileName = "part.stl");
  equation
    connect(body.frame_a, shape.frame_a);
    annotation(experiment(StopTime = 0.001));
  end VainFile;

  model SameName
    import Rattleback.*;
    inner World world;
    Materials.Solid early(name = "Oak", density = 600);
    Materials.Solid late(name = "Oak", density = 700);
    Parts.Solid part(shape = Shapes.Sphere(0.1), material = "Oak");
    annotation(experiment(StopTime = 0.001));
  end SameName;

  model ArrayInPair
    import Rattleback.*;
    inner World world;
    Parts.Solid ball[2](each shape = Shapes.Sphere(0.1), r = {{0, 0, 0}, {0, 0, 1}});
    Materials.Pair pair(a = "ball", b = "Steel");
  end ArrayInPair;

  model SensorOfItself
    import Rattleback.*;
    inner World world;
    Parts.Solid ball(shape = Shapes.Sphere(0.1));
    Sensors.Contact touch(a = "ball", b = "ball");
    annotation(experiment(StopTime = 0.001));
  end SensorOfItself;

  model NegativeSmoothing
    inner World world;
    Parts.Pieces part(pieces = {Solids.Box({1, 1, 1})}, smoothing = -0.001);
  end NegativeSmoothing;

  model LayersAlone "Laws of parts with the table, none of their material"
    import Rattleback.*;
    inner World world;
    Materials.Solid rubber(name = "Rubber", density = 1000, youngsModulus = 1e9, poissonsRatio = 0.3);
    Parts.Workpiece table(mesh = Solids.Box({2, 2, 0.1}), r = {0, 0, -0.1}, material = "Rubber", fixed = true);
    Parts.Workpiece one(mesh = Solids.Box({0.1, 0.1, 0.1}), r = {0.5, 0.5, 0}, material = "Rubber");
    Parts.Workpiece two(mesh = Solids.Box({0.1, 0.1, 0.1}), r = {1, 0.5, 0}, material = "Rubber");
    Materials.LayerPair first(a = "table", b = "one", youngsModulus = {1e6, 0}), second(a = "table", b = "two", youngsModulus = {1e6, 0});
  end LayersAlone;

  model WorkpieceOnHalfSpace
    import Rattleback.*;
    inner World world(gravity = {0, 0, -9.81});
    Parts.Solid ground(shape = Shapes.HalfSpace(), material = "Steel", fixed = true);
    Parts.Workpiece brick(mesh = Solids.Box({0.1, 0.1, 0.1}), material = "Steel");
  end WorkpieceOnHalfSpace;

  model BluntTips "Two pyramids 0.2 m high and 0.02 m wide: rounded by r, the tip recedes by r (1/sin(b) - 1), sin(b) = 0.01/0.20025"
    import Rattleback.*;
    inner World world(gravity = {0, 0, -9.81});
    parameter Units.Length smoothing = 5e-4;
    Parts.Solid plate(shape = Shapes.Box(1, 1, 0.1), r = {0, 0, -0.05}, fixed = true);
    Parts.Pieces needle[2](pieces = fill({Solids.Hull({{0.01, 0.01, 0}, {-0.01, 0.01, 0}, {-0.01, -0.01, 0}, {0.01, -0.01, 0}, {0, 0, 0.2}})}, 2), each smoothing = smoothing, r = {{-0.1, 0, 0.1}, {0.1, 0, 0.1}});
    annotation(experiment(StopTime = 0.01));
  end BluntTips;

  model ThrownApart "A steel cube 2 cm in a table, and one that has sunk in as if it had rested there"
    import Rattleback.*;
    inner World world(gravity = {0, 0, -9.81});
    Parts.Solid table(shape = Shapes.Box(1, 1, 0.1), r = {0, 0, -0.05}, material = "Steel", fixed = true);
    Parts.Solid resting(shape = Shapes.Box(0.1, 0.1, 0.1), r = {0.3, 0, 0.05 - 1e-6}, material = "Steel");
    Parts.Solid cube(shape = Shapes.Box(0.1, 0.1, 0.1), r = {0, 0, 0.03}, material = "Steel");
    annotation(experiment(StopTime = 1e-6));
  end ThrownApart;

  model SharpTips "As proposed"
    extends BluntTips(smoothing = 3e-5);
  end SharpTips;

  model NoPlace "A point of a hull that cannot be"
    inner Rattleback.World world;
    parameter Real far = 1e200;
    Rattleback.Parts.Pieces part(pieces = {Rattleback.Solids.Hull({{0, 0, 0}, {1, 0, 0}, {0, 1, far*far}, {0, 0, 1}})});
  end NoPlace;

  model LargeSmoothing "More than fits into each of them but the last; the default of 1 mm is too large for a chip, which nobody typed"
    import Rattleback.*;
    inner World world(gravity = zeros(3));
    Parts.Solid chip(shape = Shapes.Box(0.1, 0.1, 1e-3), r = {0, 0, 1});
    Parts.Solid box(shape = Shapes.Box(0.1, 0.2, 0.3, smoothing = 0.5), r = {1, 0, 0});
    Parts.Solid cylinder[2](each shape = Shapes.Cylinder(0.1, 0.2, smoothing = 0.011), r = {{2, 0, 0}, {2, 0, 1}});
    Parts.Solid cone(shape = Shapes.Cone(0.1, 0.2, smoothing = 0.1), r = {3, 0, 0});
    Parts.Solid beam(shape = Shapes.Beam(0.3, 0.1, 0.02, smoothing = 0.01), r = {4, 0, 0});
    Parts.Pieces pieces(pieces = {Solids.Box({0.1, 0.1, 0.1}), Solids.translate(Solids.Box({0.2, 0.2, 0.2}), {1, 0, 0})}, smoothing = 0.015, r = {5, 0, 0});
    Parts.Solid fits(shape = Shapes.Box(0.1, 0.2, 0.3, smoothing = 0.01), r = {7, 0, 0});
    annotation(experiment(StopTime = 0.01));
  end LargeSmoothing;

  model TooHard "A steel bullet into rubber, with a ball beside it"
    import Rattleback.*;
    inner World world(gravity = zeros(3));
    Materials.Solid gum(name = "Gum", density = 1000, youngsModulus = 1e6, poissonsRatio = 0.4);
    Materials.Pair pair(a = "Gum", b = "Steel", restitution = 0.5, slidingFriction = 0.5);
    Parts.Solid wall(shape = Shapes.Box(1, 1, 0.1), r = {0, 0, -0.05}, material = "Gum", fixed = true);
    Parts.Solid bullet(shape = Shapes.Sphere(0.02), r = {0, 0, 0.02}, v = {0, 0, -100}, material = "Steel");
    Parts.Solid ball(shape = Shapes.Sphere(0.02), r = {0.3, 0, 0.2}, material = "Steel");
    annotation(experiment(StopTime = 0.01));
  end TooHard;

  model ThinFoil "From 0.141 m, as high as it is large: m g h = E* w d^2/2 with w = 0.0816 m lets it go 16 nm deep, 6.3 times a quarter of 10 nm; the mass grows with the thickness, so 6.3^2 times that is enough"
    import Rattleback.*;
    inner World world(gravity = {0, 0, -9.81});
    parameter Units.Length thick = 1e-8;
    Parts.Solid plate(shape = Shapes.Box(1, 1, 0.1), r = {0, 0, -0.05}, fixed = true);
    Parts.Solid foil(shape = Shapes.Box(0.1, 0.1, thick), r = {0, 0, 0.1});
    annotation(experiment(StopTime = 0.01));
  end ThinFoil;

  model ThickFoil
    extends ThinFoil(thick = 1e-6);
  end ThickFoil;

  model TinyCube "Rests 2e-15 m deep"
    import Rattleback.*;
    inner World world(gravity = {0, 0, -9.81});
    parameter Units.Length side = 5e-5;
    Parts.Solid plate(shape = Shapes.Box(1, 1, 0.1), r = {0, 0, -0.05}, fixed = true);
    Parts.Solid cube(shape = Shapes.Box(side, side, side), r = {0, 0, 0.1});
    annotation(experiment(StopTime = 0.01));
  end TinyCube;

  model SmallCube
    extends TinyCube(side = 2e-4);
  end SmallCube;

  model Dust "Far below the rounding of places"
    extends TinyCube(side = 1e-8, cube(r = {0, 0, 5e-9}));
    Parts.Solid ball(shape = Shapes.Sphere(0.1), r = {0.3, 0, 0.05});
  end Dust;
end MechanicsErrors;
