package Flexible "Beams by their modes"
  import Rattleback.{World, Parts, Joints, Forces, Sensors, Rotational, Actions, Blocks};
  model SpinUp "Kane, Ryan, Banerjee 1987: a beam on a hub that is brought to 6 rad/s in 15 s"
    parameter Boolean stiffening = true annotation(Evaluate = true);
    constant Real pi = Rattleback.pi;
    inner World world(gravityType = World.GravityType.NoGravity);
    Joints.Revolute hub(n = {0, 0, 1}, useAxisFlange = true);
    Parts.FlexibleBeam beam(length = 10, width = 0.07746, height = 0.005164, density = 3000, E = 7e10, nu = 0, zeta = 0, modes = 6, animation = false, stiffening = stiffening);
    Rotational.Sources.Position drive;
    Sensors.RelativePosition tip;
  equation
    drive.phi_ref = 0.4*(time^2/2 + (7.5/pi)^2*(cos(pi*time/7.5) - 1));
    connect(drive.flange, hub.axis);
    connect(world.frame_b, hub.frame_a);
    connect(hub.frame_b, beam.frame_a);
    connect(hub.frame_b, tip.frame_a);
    connect(beam.frame_b, tip.frame_b);
    annotation(experiment(StopTime = 6.76, Tolerance = 1e-6));
  end SpinUp;
  model SpinUpLinear
    extends SpinUp(stiffening = false);
    annotation(experiment(StopTime = 6.76, Tolerance = 1e-6));
  end SpinUpLinear;
  model Pendulum "Falls from the horizontal"
    parameter Real E = 1e8;
    inner World world;
    Joints.Revolute hinge(n = {0, 0, 1});
    Parts.FlexibleBeam beam(length = 1, width = 0.02, density = 2000, E = E, nu = 0, zeta = 0, modes = 6, animation = false);
    Sensors.RelativePosition tip;
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, beam.frame_a);
    connect(world.frame_b, tip.frame_a);
    connect(beam.frame_b, tip.frame_b);
    annotation(experiment(StopTime = 1, Tolerance = 1e-7));
  end Pendulum;
  model Cut "What goes through a hinge that turns freely: no torque about its axis"
    inner World world(g = 9.81);
    Joints.Revolute hinge(n = {0, 0, 1});
    Sensors.CutForceAndTorque cut;
    Parts.FlexibleBeam beam(length = 1, width = 0.02, density = 2000, E = 1e8, zeta = 0, animation = false);
    Parts.BodyShape load(m = 0.1);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, cut.frame_a);
    connect(cut.frame_b, beam.frame_a);
    connect(beam.frame_b, load.frame_a);
    annotation(experiment(StopTime = 0.3));
  end Cut;
  model Cantilever "A force at the end"
    inner World world(gravityType = World.GravityType.NoGravity, steadyStart = true);
    Parts.FlexibleBeam beam(length = 1, width = 0.02, height = 0.01, zeta = 0.1, animation = false);
    Forces.WorldForce force;
    Sensors.RelativePosition tip;
  equation
    force.force = {0, 2, 3};
    connect(world.frame_b, beam.frame_a);
    connect(force.frame_b, beam.frame_b);
    connect(world.frame_b, tip.frame_a);
    connect(beam.frame_b, tip.frame_b);
    annotation(experiment(StopTime = 0.01, Tolerance = 1e-7));
  end Cantilever;
  model Flight "Nothing holds it: it spins and swings"
    inner World world(gravityType = World.GravityType.NoGravity);
    Parts.FlexibleBeam beam(length = 1, width = 0.02, E = 1e9, zeta = 0), alone(length = 1, width = 0.02, E = 1e9, r_start = {0, 1, 0}, v_start = {1, 0, 0}, w_0_start = {0, 20, 30});
    Parts.BodyShape load(m = 0.1, r_CM = {0.1, 0.2, 0}, w_0_start = {10, 20, 30});
  equation
    connect(beam.frame_b, load.frame_a);
    annotation(experiment(StopTime = 0.5, Tolerance = 1e-7));
  end Flight;
  model SliderCrank "The connecting rod is two halves, so that its middle is a frame"
    inner World world(gravityType = World.GravityType.NoGravity);
    Joints.Revolute crank(n = {0, 0, 1}, useAxisFlange = true);
    Parts.FixedTranslation arm(r = {0.1, 0, 0});
    Joints.Revolute pin(n = {0, 0, 1}, w(start = -37.5));
    Parts.FlexibleBeam half[2](each length = 0.2, each width = 0.01, each height = 0.02, each density = 7800, each E = 5e9, each nu = 0, each zeta = 0, each modes = 4,
      each animation = false);
    Joints.Revolute wrist(n = {0, 0, 1});
    Joints.Prismatic slide(n = {1, 0, 0}, s(start = 0.5));
    Parts.BodyShape slider(m = 0.2);
    Rotational.Sources.Position drive;
    Sensors.RelativePosition middle, whole;
    Real bow = (middle.r_rel[2]*whole.r_rel[1] - middle.r_rel[1]*whole.r_rel[2])/sqrt(whole.r_rel*whole.r_rel) "Of the middle from the line between the ends";
  equation
    drive.phi_ref = 30*time;
    connect(drive.flange, crank.axis);
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, arm.frame_a);
    connect(arm.frame_b, pin.frame_a);
    connect(pin.frame_b, half[1].frame_a);
    connect(half[1].frame_b, half[2].frame_a);
    connect(half[2].frame_b, wrist.frame_a);
    connect(wrist.frame_b, slider.frame_a);
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, slider.frame_a);
    connect(half[1].frame_a, middle.frame_a);
    connect(half[1].frame_b, middle.frame_b);
    connect(half[1].frame_a, whole.frame_a);
    connect(half[2].frame_b, whole.frame_b);
    annotation(experiment(StopTime = 0.15, Tolerance = 1e-6));
  end SliderCrank;
  model BothEnds
    inner World world;
    Parts.FlexibleBeam beam;
    Parts.Fixed wall(r = {1, 0, 0});
  equation
    connect(world.frame_b, beam.frame_a);
    connect(wall.frame_b, beam.frame_b);
  end BothEnds;
  model OneMode
    inner World world;
    Parts.FlexibleBeam beam(modes = 1);
  equation
    connect(world.frame_b, beam.frame_a);
  end OneMode;
  model Changes
    inner World world;
    Parts.FlexibleBeam beam;
    Parts.Solid ball(shape = Rattleback.Shapes.Sphere(0.1), r = {0, 1, 0});
    Actions.Attach take(at = 0.1, a = "ball", b = "world");
  equation
    connect(world.frame_b, beam.frame_a);
  end Changes;
end Flexible;
