package Granular "Machines for bulk solids; each runs as it is, and larger with --override"
  import Rattleback.*;

  model Triangle "5,050 balls in a triangle are hit from below (plot grains.kinetic)"
    parameter Integer rows = 100;
    parameter Integer n = div(rows*(rows + 1), 2);
    parameter Integer row[n] = {integer(ceil((sqrt(8*k + 1) - 1)/2 - 1e-9)) for k in 1:n};
    inner World world(gravityType = World.GravityType.NoGravity, particles = World.ParticleChoice.Cloud);
    Materials.Solid bead(name = "Bead", density = 1700, youngsModulus = 5e6, poissonsRatio = 0.3);
    Materials.Pair pair(a = "Bead", b = "Bead", restitution = 1);
    Parts.Solid ball[n](each shape = Shapes.Sphere(0.04), each material = "Bead",
      r = {{row[k]*0.04004*sqrt(0.75), (k - row[k]*(row[k] - 1)/2 - row[k]/2)*0.04004, 0} for k in 1:n});
    Parts.Solid cue(shape = Shapes.Sphere(0.04), material = "Bead", r = {-0.0065, 0.023, 0}, v = {2, 0, 0});
    annotation(experiment(StopTime = 0.1, Interval = 0.01));
  end Triangle;

  model Hopper "Beads run out of a hopper of four plates onto a heap (plot gate.massFlow)"
    parameter Integer n = 1500;
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.Solid ground(shape = Shapes.HalfSpace(), fixed = true);
    Parts.Solid plate[4](each shape = Shapes.Box(0.01, 0.4, 0.3), r = {{0.125, 0, 0.4}, {-0.125, 0, 0.4}, {0, 0.125, 0.4}, {0, -0.125, 0.4}},
      angles = {{0, Rattleback.pi/6, 0}, {0, -Rattleback.pi/6, 0}, {-Rattleback.pi/6, 0, Rattleback.pi/2}, {Rattleback.pi/6, 0, Rattleback.pi/2}}, each fixed = true);
    Particles.Random beads(n = n, low = {-0.09, -0.09, 0.35}, high = {0.09, 0.09, 0.75}, E = 1e6, mu_r = 0.05);
    Particles.FlowSensor gate(r = {0, 0, 0.2});
    annotation(experiment(StopTime = 1, Interval = 0.02));
  end Hopper;

  model Drum "A drum with a shaft turns beads over; its motor feels them (plot shaft.tau, drum.grain_force[1])"
    parameter Integer n = 400;
    parameter Integer sides = 24;
    parameter Units.Length R = 0.1, length = 0.08;
    inner World world(g = 9.81, n = {0, -1, 0});
    Parts.Workpiece drum(mesh = Solids.translate(Solids.extrude(Solids.withHole(Solids.Circle(1.1*R, segments = sides), Solids.Circle(R, segments = sides)), length), {0, 0, -length/2}));
    Parts.Solid lid[2](each shape = Shapes.Box(2.4*R, 2.4*R, 0.01), r = {{0, 0, length/2 + 0.006}, {0, 0, -length/2 - 0.006}}, each fixed = true);
    Parts.Fixed bearing;
    Joints.Revolute shaft(n = {0, 0, 1}, d = 50, w_rest = 3);
    Particles.Random beads(n = n, low = {-0.06, -0.06, -0.035}, high = {0.06, 0.06, 0.035}, E = 1e6);
  equation
    connect(bearing.frame_b, shaft.frame_a);
    connect(shaft.frame_b, drum.frame_a);
    annotation(experiment(StopTime = 1, Interval = 0.02));
  end Drum;

  model Silo "A tall bin is filled; its floor carries less than the beads weigh (plot floor.stress[3], wall.stress[1])"
    parameter Integer n = 1200;
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.Solid ground(shape = Shapes.HalfSpace(), fixed = true);
    Parts.Solid side[4](each shape = Shapes.Box(0.02, 0.1, 1), r = {{0.04, 0, 0.5}, {-0.04, 0, 0.5}, {0, 0.04, 0.5}, {0, -0.04, 0.5}},
      angles = {{0, 0, 0}, {0, 0, 0}, {0, 0, Rattleback.pi/2}, {0, 0, Rattleback.pi/2}}, each fixed = true);
    Particles.Random beads(n = n, low = {-0.03, -0.03, 0}, high = {0.03, 0.03, 0.9}, E = 1e6, mu_r = 0.1);
    Particles.BoxSensor floor(low = {-0.03, -0.03, 0}, high = {0.03, 0.03, 0.05});
    Particles.BoxSensor wall(low = {-0.03, -0.03, 0.1}, high = {0.03, 0.03, 0.2});
    annotation(experiment(StopTime = 1, Interval = 0.02));
  end Silo;

  model Heap "Beads that resist rolling pile up under a spout (rattleback view)"
    parameter Integer n = 1000;
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.Solid ground(shape = Shapes.HalfSpace(), fixed = true);
    Particles.Rain beads(n = n, rate = 800, low = {-0.025, -0.025, 0.2}, high = {0.025, 0.025, 0.35}, v = {0, 0, -1}, E = 1e6, mu = 0.6, mu_r = 0.2);
    annotation(experiment(StopTime = 1.5, Interval = 0.02));
  end Heap;

  model Mixture "Large beads rise in small ones that are shaken (plot upper.mass)"
    parameter Integer n = 600;
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.Solid side[4](each shape = Shapes.Box(0.02, 0.16, 0.4), r = {{0.06, 0, 0.2}, {-0.06, 0, 0.2}, {0, 0.06, 0.2}, {0, -0.06, 0.2}},
      angles = {{0, 0, 0}, {0, 0, 0}, {0, 0, Rattleback.pi/2}, {0, 0, Rattleback.pi/2}}, each fixed = true);
    Contact.Moved drive;
    Contact.CollisionBody plate(shape = Shapes.Box(0.09, 0.09, 0.02));
    Particles.Random large(n = 10, radius = 0.01, low = {-0.05, -0.05, 0.02}, high = {0.05, 0.05, 0.06}, E = 1e6);
    Particles.Random small(n = n, radius = 0.004, low = {-0.05, -0.05, 0.06}, high = {0.05, 0.05, 0.2}, E = 1e6);
    Particles.BoxSensor upper(low = {-0.05, -0.05, 0.04}, high = {0.05, 0.05, 0.4});
  equation
    drive.r = {0, 0, -0.01 + 0.003*sin(2*Rattleback.pi*15*time)};
    connect(drive.frame_b, plate.frame_a);
    annotation(experiment(StopTime = 1, Interval = 0.02));
  end Mixture;

  model Excavator "A bucket on an arm, driven by cylinders that are springs with a moving end, digs into beads (plot lift.tau, bucket.grain_force[3])"
    parameter Integer n = 800;
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.Solid ground(shape = Shapes.HalfSpace(), fixed = true);
    Parts.Solid side[4](each shape = Shapes.Box(0.02, 0.44, 0.15), r = {{0.21, 0, 0.075}, {-0.21, 0, 0.075}, {0, 0.11, 0.075}, {0, -0.11, 0.075}},
      angles = {{0, 0, 0}, {0, 0, 0}, {0, 0, Rattleback.pi/2}, {0, 0, Rattleback.pi/2}}, each fixed = true);
    Parts.Fixed post(r = {-0.1, 0, 0.35});
    Joints.Revolute lift(n = {0, 1, 0}, useAxisFlange = true, canCollide = true);
    Rotational.Components.SpringDamper cylinder(c = 2000, d = 40);
    Rotational.Sources.Position pump;
    Parts.Solid arm(shape = Shapes.Box(0.3, 0.03, 0.03), collidable = false, mass = 2);
    Parts.FixedTranslation tip(r = {0.15, 0, 0});
    Parts.FixedTranslation middle(r = {0.15, 0, 0});
    Parts.Pieces bucket(material = "Steel", pieces = {Solids.translate(Solids.Box({0.1, 0.01, 0.08}), {-0.05, 0.04, -0.08}), Solids.translate(Solids.Box({0.1, 0.01, 0.08}), {-0.05, -0.05, -0.08}),
      Solids.translate(Solids.Box({0.01, 0.08, 0.08}), {0.04, -0.04, -0.08}), Solids.translate(Solids.Box({0.09, 0.08, 0.01}), {-0.05, -0.04, -0.09})});
    Particles.Random beads(n = n, low = {-0.19, -0.09, 0}, high = {0.19, 0.09, 0.14}, E = 1e6, mu_r = 0.1);
  equation
    pump.phi_ref = 0.45*(1 - cos(2*Rattleback.pi*time/1.2));
    connect(post.frame_b, lift.frame_a);
    connect(pump.flange, cylinder.flange_a);
    connect(cylinder.flange_b, lift.axis);
    connect(lift.frame_b, middle.frame_a);
    connect(middle.frame_b, arm.frame_a);
    connect(arm.frame_a, tip.frame_a);
    connect(tip.frame_b, bucket.frame_a);
    annotation(experiment(StopTime = 1.2, Interval = 0.02));
  end Excavator;

  model ConveyorToPile "A belt takes beads along; they fall off its end and pile up below (plot fallen.mass, drive.power)"
    parameter Integer n = 500;
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.Solid ground(shape = Shapes.HalfSpace(), fixed = true);
    Parts.Solid back(shape = Shapes.Box(0.02, 0.2, 0.2), r = {-0.21, 0, 0.3}, fixed = true);
    Parts.Solid side[2](each shape = Shapes.Box(0.5, 0.02, 0.15), r = {{0, 0.07, 0.27}, {0, -0.07, 0.27}}, each fixed = true);
    Parts.Solid belt(shape = Shapes.Box(0.5, 0.11, 0.02), r = {0, 0, 0.19}, fixed = true);
    Particles.Belt drive(part = "belt", v_surface = {0.3, 0, 0}, startTime = 0.1, rampTime = 0.1);
    Particles.Random beads(n = n, low = {-0.2, -0.05, 0.21}, high = {0.05, 0.05, 0.34}, E = 1e6, mu_r = 0.1);
    Particles.BoxSensor fallen(low = {-1, -1, 0}, high = {1, 1, 0.15});
    annotation(experiment(StopTime = 2, Interval = 0.02));
  end ConveyorToPile;

  model Feeder "A plate goes forward with beads and jerks back under them: they creep to its end and pile up below (plot fallen.mass)"
    parameter Integer n = 500;
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.Solid ground(shape = Shapes.HalfSpace(), fixed = true);
    Parts.Solid back(shape = Shapes.Box(0.02, 0.2, 0.2), r = {-0.21, 0, 0.3}, fixed = true);
    Parts.Solid side[2](each shape = Shapes.Box(0.5, 0.02, 0.15), r = {{0, 0.07, 0.27}, {0, -0.07, 0.27}}, each fixed = true);
    Contact.Moved drive;
    Contact.CollisionBody plate(shape = Shapes.Box(0.5, 0.11, 0.02));
    Particles.Random beads(n = n, low = {-0.2, -0.05, 0.21}, high = {0.05, 0.05, 0.34}, E = 1e6, mu_r = 0.1);
    Particles.BoxSensor fallen(low = {-1, -1, 0}, high = {1, 1, 0.15});
    Real t(unit = "s") "Of the present stroke";
  equation
    t = mod(time, 0.2);
    drive.r = {if t < 0.15 then 0.04*t/0.15 else 0.04*(0.2 - t)/0.05, 0, 0.19};
    connect(drive.frame_b, plate.frame_a);
    annotation(experiment(StopTime = 2, Interval = 0.02));
  end Feeder;

  model Settling "100,000 spheres fall into a box and come to rest (plot grains.kinetic, grains.coordination)"
    parameter Integer n = 100000;
    parameter Units.Length a = 0.5 "Width of the box";
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.Solid ground(shape = Shapes.HalfSpace(), fixed = true);
    Parts.Solid side[4](each shape = Shapes.Box(0.02, a + 0.02, 2), r = {{a/2 + 0.01, 0, 1}, {-a/2 - 0.01, 0, 1}, {0, a/2 + 0.01, 1}, {0, -a/2 - 0.01, 1}},
      angles = {{0, 0, 0}, {0, 0, 0}, {0, 0, Rattleback.pi/2}, {0, 0, Rattleback.pi/2}}, each fixed = true);
    Particles.Random beads(n = n, low = {-a/2, -a/2, 0}, high = {a/2, a/2, 0.9}, spread = 0.1, E = 1e6);
    annotation(experiment(StopTime = 1, Interval = 0.02));
  end Settling;
end Granular;
