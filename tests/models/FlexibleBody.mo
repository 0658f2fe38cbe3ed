package FlexibleBody "Parts of finite elements by their modes"
  import Rattleback.{World, Parts, Joints, Forces, Sensors, Rotational, Actions, Shapes, Solids, Types, Materials};
  model Cantilever "A force at the end"
    inner World world(gravityType = World.GravityType.NoGravity, steadyStart = true);
    Parts.FlexibleBody beam(shape = Shapes.Box(1, 0.02, 0.01), gridSize = {0.025, 0.01, 0.005}, E = 2.1e11, nu = 0, zeta = 0.1, modes = 6,
      interfaces = {Parts.Interface(r = {-0.5, 0, 0}), Parts.Interface(r = {0.5, 0, 0})});
    Forces.WorldForce force;
    Sensors.RelativePosition tip;
  equation
    force.force = {0, 2, 3};
    connect(world.frame_b, beam.frames[1]);
    connect(force.frame_b, beam.frames[2]);
    connect(world.frame_b, tip.frame_a);
    connect(beam.frames[2], tip.frame_b);
    annotation(experiment(StopTime = 0.01));
  end Cantilever;
  model Averaged "The same, held and pushed by the mean motion of faces"
    extends Cantilever(beam(interfaces = {Parts.Interface(r = {-0.5, 0, 0}, rigid = false), Parts.Interface(r = {0.5, 0, 0}, rigid = false)}));
    annotation(experiment(StopTime = 0.01));
  end Averaged;
  model Corner "The same, with the frame at a corner of the face"
    extends Cantilever(beam(interfaces = {Parts.Interface(r = {-0.5, 0, 0}), Parts.Interface(r = {0.5, 0.01, 0.005}, standsAtR = true)}));
    annotation(experiment(StopTime = 0.01));
  end Corner;
  model SpinUp "Kane, Ryan, Banerjee 1987: a beam on a hub that is brought to 6 rad/s in 15 s"
    parameter Boolean stiffening = true annotation(Evaluate = true);
    constant Real pi = Rattleback.pi;
    inner World world(gravityType = World.GravityType.NoGravity);
    Joints.Revolute hub(n = {0, 0, 1}, useAxisFlange = true);
    Parts.FlexibleBody beam(shape = Shapes.Box(10, 0.07746, 0.005164), gridSize = {0.25, 0.07746, 0.005164}, density = 3000, E = 7e10, nu = 0, zeta = 0, modes = 6, stiffening = stiffening,
      interfaces = {Parts.Interface(r = {-5, 0, 0}), Parts.Interface(r = {5, 0, 0})});
    Rotational.Sources.Position drive;
    Sensors.RelativePosition tip;
  equation
    drive.phi_ref = 0.4*(time^2/2 + (7.5/pi)^2*(cos(pi*time/7.5) - 1));
    connect(drive.flange, hub.axis);
    connect(world.frame_b, hub.frame_a);
    connect(hub.frame_b, beam.frames[1]);
    connect(hub.frame_b, tip.frame_a);
    connect(beam.frames[2], tip.frame_b);
    annotation(experiment(StopTime = 6.76, Tolerance = 1e-6));
  end SpinUp;
  model SpinUpLinear
    extends SpinUp(stiffening = false);
    annotation(experiment(StopTime = 6.76, Tolerance = 1e-6));
  end SpinUpLinear;
  model Pendulum "Falls from the horizontal"
    inner World world;
    Joints.Revolute hinge(n = {0, 0, 1});
    Parts.FlexibleBody beam(shape = Shapes.Box(1, 0.02, 0.02), gridSize = {0.05, 0.02, 0.02}, density = 2000, E = 1e8, nu = 0, zeta = 0, modes = 10,
      interfaces = {Parts.Interface(r = {-0.5, 0, 0}), Parts.Interface(r = {0.5, 0, 0})});
    Sensors.RelativePosition tip;
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, beam.frames[1]);
    connect(world.frame_b, tip.frame_a);
    connect(beam.frames[2], tip.frame_b);
    annotation(experiment(StopTime = 1, Tolerance = 1e-7));
  end Pendulum;
  model SliderCrank "One connecting rod between three interfaces; the one in the middle only measures"
    inner World world(gravityType = World.GravityType.NoGravity);
    Joints.Revolute shaft(n = {0, 0, 1}, useAxisFlange = true), pin(n = {0, 0, 1}, w(start = -37.5)), wrist(n = {0, 0, 1});
    Joints.Prismatic guide(n = {1, 0, 0}, s(start = 0.5));
    Parts.FixedTranslation crank(r = {0.1, 0, 0});
    Parts.FlexibleBody rod(shape = Shapes.Box(0.4, 0.01, 0.02), gridSize = {0.02, 0.01, 0.02}, density = 7800, E = 5e9, nu = 0, zeta = 0, modes = 6,
      interfaces = {Parts.Interface(r = {-0.2, 0, 0}), Parts.Interface(r = {0.2, 0, 0}), Parts.Interface(r = {0, 0, 0}, rigid = false)});
    Parts.Body slider(m = 0.2);
    Rotational.Sources.Position drive;
    Sensors.RelativePosition middle, far;
    Real bow = (middle.r_rel[2]*far.r_rel[1] - middle.r_rel[1]*far.r_rel[2])/sqrt(far.r_rel*far.r_rel) "Of the middle, across the line of the pins";
  equation
    drive.phi_ref = 30*time;
    connect(drive.flange, shaft.axis);
    connect(world.frame_b, shaft.frame_a);
    connect(shaft.frame_b, crank.frame_a);
    connect(crank.frame_b, pin.frame_a);
    connect(pin.frame_b, rod.frames[1]);
    connect(rod.frames[2], wrist.frame_a);
    connect(wrist.frame_b, slider.frame_a);
    connect(slider.frame_a, guide.frame_b);
    connect(world.frame_b, guide.frame_a);
    connect(rod.frames[1], middle.frame_a);
    connect(rod.frames[3], middle.frame_b);
    connect(rod.frames[1], far.frame_a);
    connect(rod.frames[2], far.frame_b);
    annotation(experiment(StopTime = 0.15, Tolerance = 1e-7));
  end SliderCrank;
  model Flight "A tube with a flange that tumbles freely: nothing is connected"
    inner World world;
    Parts.FlexibleWorkpiece part(mesh = Solids.Cylinder(radius = 0.05, height = 0.2) - Solids.Cylinder(radius = 0.04, height = 0.3), E = 1e8, nu = 0.3, density = 1000, zeta = 0, modes = 6,
      v_start = {1, 2, 0}, w_0_start = {10, 20, 5}, interfaces = {Parts.Interface(r = {0, 0, 0.1}, n = {0, 0, 1})});
    annotation(experiment(StopTime = 0.2, Tolerance = 1e-8));
  end Flight;
  model Blow "A bar of 1 m, c = 1000 m/s, with a stiff light nose that touches for it"
    parameter Real x = 0.02 "Of the nose", v = -1;
    parameter Real f = 6000;
    outer World world;
    Joints.Prismatic rail(canCollide = true, n = {1, 0, 0}, s(start = x), v(start = v));
    Parts.FlexibleBody bar(shape = Shapes.Box(1, 0.04, 0.04), gridSize = {0.05, 0.04, 0.04}, E = 2e9, nu = 0, density = 2000, zeta = 0, highestFrequency = f,
      interfaces = {Parts.Interface(r = {if v < 0 then -0.5 else 0.5, 0, 0})});
    Parts.Solid nose(shape = Shapes.Sphere(0.04), material = "Steel", contactMaterial = "Nose", mass = 1e-4);
  equation
    connect(world.frame_b, rail.frame_a);
    connect(rail.frame_b, nose.frame_a);
    connect(rail.frame_b, bar.frames[1]);
  end Blow;
  model Wall "It stays for 2 L/c at a wall and comes back as it came"
    inner World world(gravityType = World.GravityType.NoGravity);
    Blow a;
    Parts.Solid wall(shape = Shapes.Box(0.04, 0.2, 0.2), material = "Steel", contactMaterial = "Wall", fixed = true, r = {-0.0205, 0, 0});
    Materials.Pair pair(a = "Nose", b = "Wall", restitution = 1, stiffness = 3.2e8, exponent = 1, slidingFriction = 0);
    Sensors.Contact touch(a = "a.nose");
    Real impulse(start = 0, fixed = true) "Of the wall", stay(start = 0, fixed = true) "Time of contact";
  equation
    der(impulse) = touch.force[1];
    der(stay) = noEvent(if touch.normalForce > 0 then 1 else 0);
    annotation(experiment(StopTime = 0.003, Tolerance = 1e-6));
  end Wall;
  model Exchange "Two equal bars exchange their velocities"
    inner World world(gravityType = World.GravityType.NoGravity);
    Blow a(f = 2500), b(x = -0.0205, v = 1e-12, f = 2500);
    Materials.Pair pair(a = "Nose", b = "Nose", restitution = 1, stiffness = 3.2e8, exponent = 1, slidingFriction = 0);
    Sensors.Contact touch(a = "a.nose", b = "b.nose");
    Real impulse(start = 0, fixed = true);
  equation
    der(impulse) = touch.force[1];
    annotation(experiment(StopTime = 0.003, Tolerance = 1e-6));
  end Exchange;
  model Hammer "A ball at the end of a free bar hits another ball, which is free"
    inner World world(gravityType = World.GravityType.NoGravity);
    Parts.FlexibleBody bar(shape = Shapes.Box(0.3, 0.02, 0.01), gridSize = {0.03, 0.02, 0.01}, E = 7e10, nu = 0.3, density = 2700, zeta = 0, modes = 8,
      interfaces = {Parts.Interface(r = {0.15, 0, 0}), Parts.Interface(r = {-0.15, 0, 0})});
    Parts.Solid head(shape = Shapes.Sphere(0.04), material = "Steel", contactMaterial = "Elastic", r = {0.15, 0, 0}, v = {0, -1, 0}, w = {0, 0, 2});
    Parts.Solid other(shape = Shapes.Sphere(0.04), material = "Steel", contactMaterial = "Elastic", r = {0.1505, -0.05, 0});
    Materials.Pair pair(a = "Elastic", b = "Elastic", restitution = 1, slidingFriction = 0, rollingResistance = 0);
  equation
    connect(bar.frames[1], head.frame_a);
    annotation(experiment(StopTime = 0.03, Tolerance = 1e-8));
  end Hammer;
  model Plate "A cantilever of triangles in layers"
    inner World world(gravityType = World.GravityType.NoGravity, steadyStart = true);
    Parts.FlexiblePlate plate(polygon = Solids.Polygon({{0, 0}, {0.2, 0}, {0.2, 0.02}, {0, 0.02}}), thickness = 0.01, elementSize = 0.01, E = 2.1e11, nu = 0, zeta = 0.1, modes = 6,
      interfaces = {Parts.Interface(), Parts.Interface(r = {0.2, 0, 0})});
    Forces.WorldForce push;
    Sensors.RelativePosition tip;
  equation
    push.force = {0, -500, 0};
    connect(world.frame_b, plate.frames[1]);
    connect(push.frame_b, plate.frames[2]);
    connect(plate.frames[1], tip.frame_a);
    connect(plate.frames[2], tip.frame_b);
    annotation(experiment(StopTime = 0.01));
  end Plate;
  model Held "A part that is held at its left face, for messages"
    inner World world;
    Parts.FlexibleBody part(shape = Shapes.Box(1, 0.02, 0.01), gridSize = {0.25, 0.02, 0.01}, modes = 2, interfaces = {Parts.Interface(r = {-0.5, 0, 0})});
  equation
    connect(world.frame_b, part.frames[1]);
  end Held;
  model NoInterface
    inner World world;
    Parts.FlexibleBody part(shape = Shapes.Box(1, 0.02, 0.01), interfaces = fill(Parts.Interface(), 0));
  end NoInterface;
  model NoShape
    extends Held(part(shape = Shapes.None()));
  end NoShape;
  model NoFile
    extends Held(part(fileName = "missing.msh"));
  end NoFile;
  model NoSet
    extends Held(part(interfaces = {Parts.Interface(nodes = "root")}));
  end NoSet;
  model NoNodes
    extends Held(part(interfaces = {Parts.Interface(r = {2, 0, 0})}));
  end NoNodes;
  model NoDirection
    extends Held(part(interfaces = {Parts.Interface(r = {-0.5, 0, 0}, n = {0, 0, 0})}));
  end NoDirection;
  model NoRadius
    extends Held(part(interfaces = {Parts.Interface(r = {-0.5, 0, 0}, where = Types.InterfaceKind.ball)}));
  end NoRadius;
  model BadRatio
    extends Held(part(nu = 0.5));
  end BadRatio;
  model NoThickness
    inner World world;
    Parts.FlexiblePlate part(polygon = Solids.Polygon({{0, 0}, {1, 0}, {0, 1}}), thickness = 0, interfaces = {Parts.Interface()});
  equation
    connect(world.frame_b, part.frames[1]);
  end NoThickness;
  model NoMaterial
    extends Held(part(material = "Unobtainium"));
  end NoMaterial;
  model Shared
    extends Held(part(interfaces = {Parts.Interface(r = {-0.5, 0, 0}), Parts.Interface(r = {0, 0.01, 0}, n = {0, 1, 0})}));
  end Shared;
end FlexibleBody;
