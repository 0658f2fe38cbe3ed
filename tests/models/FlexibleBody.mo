package FlexibleBody "Parts of finite elements by their modes"
  import Rattleback.{World, Parts, Joints, Forces, Sensors, Rotational, Actions, Shapes, Solids, Types};
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
  model NoMaterial
    extends Held(part(material = "Unobtainium"));
  end NoMaterial;
  model Shared
    extends Held(part(interfaces = {Parts.Interface(r = {-0.5, 0, 0}), Parts.Interface(r = {0, 0.01, 0}, n = {0, 1, 0})}));
  end Shared;
end FlexibleBody;
