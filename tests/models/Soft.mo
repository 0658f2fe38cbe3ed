package Soft "Soft bodies among rigid ones"
  import Rattleback.*;

  model Slope "A block of gel on ground that is inclined by 5 degrees"
    inner World world(g = 9.81, n = {0.08715574274765817, -0.9961946980917455, 0});
    Parts.Solid ground(shape = Shapes.Box(2, 0.02, 0.2), r = {0, -0.01, 0}, fixed = true);
    Parts.SoftBody gel(shape = Shapes.Box(0.04, 0.04, 0.04), gridSize = 0.02, E = 5e4, zeta = 1, mu = 0.3, r_start = {0, 0.034, 0});
  end Slope;

  model Slippery "All its properties change; from then on it slides without friction"
    extends Slope;
    Actions.ChangeMaterial change(at = 0.1, a = "gel", E = 2e4, rho = 1500, zeta = 0.5, mu = 0);
  end Slippery;

  model Held "A weight on a strap that hangs on a block that moves; the strap becomes softer"
    inner World world(n = {0, -1, 0});
    Joints.Prismatic rail(n = {1, 0, 0}, s(start = 0, fixed = true), v(start = 0.2, fixed = true));
    Parts.Solid carriage(shape = Shapes.Box(0.1, 0.02, 0.1), mass = 1);
    Parts.SoftBody strap(shape = Shapes.Box(0.02, 0.08, 0.02), gridSize = 0.01, E = 2e5, zeta = 0.5, r_start = {0, -0.05, 0}, face_a = Types.Face.y_high, face_b = Types.Face.y_low);
    Parts.Solid weight(shape = Shapes.Box(0.04, 0.02, 0.04), mass = 0.02, r = {0, -0.1, 0});
    Actions.ChangeMaterial softer(at = 0.1, a = "strap", E = 1e5);
  equation
    connect(world.frame_b, rail.frame_a);
    connect(rail.frame_b, carriage.frame_a);
    connect(carriage.frame_a, strap.frame_a);
    connect(strap.frame_b, weight.frame_a);
  end Held;
  model WithGrains "Grains and soft bodies go through each other"
    extends Slope;
    Particles.Grid grains(n = 8, radius = 0.005, low = {0.3, 0.1, 0}, high = {0.33, 0.13, 0.03});
  end WithGrains;
end Soft;
