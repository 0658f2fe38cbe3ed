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
    inner World world(g = 9.81, n = {0, -1, 0});
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

  partial model Hanging "A bar that a frame of the world holds at its upper end"
    parameter Real h = 0.02 "Grid";
    inner World world(g = 9.81, n = {0, -1, 0});
    Parts.SoftBody bar(shape = Shapes.Box(0.04, 0.12, 0.04), gridSize = h, E = 1e6, zeta = 0.02/h, r_start = {0, -0.06, 0},
      face_a = Types.Face.y_high);
  equation
    connect(world.frame_b, bar.frame_a);
  end Hanging;

  model Hanging40
    extends Hanging(h = 0.04);
  end Hanging40;

  model Hanging20
    extends Hanging(h = 0.02);
  end Hanging20;

  model Hanging10
    extends Hanging(h = 0.01);
  end Hanging10;

  model Pushed "A free block of 1 kg holds a bar of 0.192 kg at one face, and a light plate of 0.01 kg hangs at the other; a force pushes the block"
    inner World world(g = 0, n = {0, -1, 0});
    Parts.Solid cube(shape = Shapes.Box(0.06, 0.02, 0.06), mass = 1, r = {0.3, 0.2, 0.1});
    Parts.SoftBody bar(shape = Shapes.Box(0.04, 0.12, 0.04), gridSize = 0.02, E = 1e6, zeta = 1, r_start = {0, -0.07, 0}, face_a = Types.Face.y_high,
      face_b = Types.Face.y_low);
    Parts.Solid plate(shape = Shapes.Box(0.06, 0.02, 0.06), mass = 0.01, r = {0.3, 0.06, 0.1});
    Forces.WorldForce push;
  equation
    connect(cube.frame_a, bar.frame_a);
    connect(bar.frame_b, plate.frame_a);
    connect(push.frame_b, cube.frame_a);
    push.force = {3, -2, 5};
  end Pushed;

  model Surgery "Two blocks on a table are glued together; then a strap is cut, which carries a weight, and a weak one is torn"
    inner World world(g = 9.81, n = {0, -1, 0});
    Actions.ModelActions actions;
    Parts.Solid table(shape = Shapes.Box(0.4, 0.02, 0.4), r = {0.5, -0.01, 0}, fixed = true);
    Parts.SoftBody below(shape = Shapes.Box(0.04, 0.02, 0.04), gridSize = 0.02, E = 5e4, zeta = 1, mu = 0, r_start = {0.5, 0.024, 0});
    Parts.SoftBody above(shape = Shapes.Box(0.04, 0.02, 0.04), gridSize = 0.02, E = 5e4, zeta = 1, mu = 0, r_start = {0.5, 0.071, 0}, v_start = {0.1, 0, 0});
    Parts.SoftBody strap(shape = Shapes.Box(0.02, 0.08, 0.02), gridSize = 0.01, moleculeRadius = 0.004, E = 2e5, zeta = 0.5, r_start = {0, -0.05, 0},
      face_a = Types.Face.y_high, face_b = Types.Face.y_low);
    Parts.Solid weight(shape = Shapes.Box(0.04, 0.02, 0.04), mass = 0.05, r = {0, -0.1, 0});
    Parts.SoftBody weak(shape = Shapes.Box(0.02, 0.04, 0.02), gridSize = 0.01, moleculeRadius = 0.004, E = 2e4, zeta = 0.5, r_start = {-0.2, -0.03, 0},
      face_a = Types.Face.y_high, face_b = Types.Face.y_low, breakingStrain = 0.1);
    Parts.Solid heavy(shape = Shapes.Box(0.04, 0.02, 0.04), mass = 0.2, r = {-0.2, -0.06, 0});
    Actions.Glue glue(at = 0.1, a = "above", b = "below");
  equation
    connect(world.frame_b, strap.frame_a);
    connect(strap.frame_b, weight.frame_a);
    connect(world.frame_b, weak.frame_a);
    connect(weak.frame_b, heavy.frame_a);
    when time >= 0.15 then
      Actions.cut(actions, "strap", {0, -0.055, 0}, {0, 1, 0});
    end when;
  end Surgery;

  model Placements "The same block with molecules on a cubic grid, on a body-centred one, and shaken"
    inner World world(g = 9.81, n = {0, -1, 0});
    Parts.Solid ground(shape = Shapes.Box(2, 0.02, 0.2), r = {0, -0.01, 0}, fixed = true);
    Parts.SoftBody cubic(shape = Shapes.Box(0.04, 0.04, 0.04), gridSize = 0.01, E = 5e4, zeta = 1, r_start = {-0.2, 0.0275, 0}, placement = Types.SoftPlacement.cubic);
    Parts.SoftBody centred(shape = Shapes.Box(0.04, 0.04, 0.04), gridSize = 0.01, E = 5e4, zeta = 1, r_start = {0, 0.0275, 0}, placement = Types.SoftPlacement.bodyCentred);
    Parts.SoftBody random(shape = Shapes.Box(0.04, 0.04, 0.04), gridSize = 0.01, E = 5e4, zeta = 1, r_start = {0.2, 0.0275, 0}, placement = Types.SoftPlacement.random);
  end Placements;

  model NotTouching
    inner World world(g = 9.81, n = {0, -1, 0});
    Parts.SoftBody below(shape = Shapes.Box(0.04, 0.02, 0.04), gridSize = 0.02);
    Parts.SoftBody above(shape = Shapes.Box(0.04, 0.02, 0.04), gridSize = 0.02, r_start = {0, 0.2, 0});
    Actions.Glue glue(at = 0.01, a = "above", b = "below");
  end NotTouching;

  model NoPlane
    extends Slope;
    Actions.Cut c(at = 0.01, a = "gel", n = {0, 0, 0});
  end NoPlane;

  model WithGrains "In a periodic cell grains and soft bodies go through each other"
    extends Slope;
    Particles.Grid grains(n = 8, radius = 0.005, low = {0.3, 0.1, 0}, high = {0.33, 0.13, 0.03});
    Particles.Periodic cell(low = {-1, -1, -1}, high = {1, 1, 1}, x = true, y = false);
  end WithGrains;

  model Carried "A bar on a slider that goes on at its speed: as if it were rigid"
    inner World world(g = 0);
    Joints.Prismatic rail(n = {0, 1, 0}, s(start = 0, fixed = true), v(start = 0.5, fixed = true));
    Parts.Body slider(m = 0.1);
    Parts.SoftBody bar(shape = Shapes.Box(0.06, 0.2, 0.06), gridSize = 0.02, E = 1e5, zeta = 1, face_a = Types.Face.y_high, r_start = {0, -0.1, 0});
  equation
    connect(world.frame_b, rail.frame_a);
    connect(rail.frame_b, slider.frame_a);
    connect(rail.frame_b, bar.frame_a);
  end Carried;

  model Swinging "A bar that is held at one end and swings"
    inner World world(g = 9.81, n = {0, -1, 0});
    Parts.SoftBody bar(shape = Shapes.Box(0.08, 0.02, 0.02), gridSize = 0.01, E = 1e5, zeta = 0.1, face_a = Types.Face.x_low);
  equation
    connect(world.frame_b, bar.frame_a);
  end Swinging;

  model OneConnection "It is torn by a force that grows; then nothing holds any more"
    inner World world(g = 0);
    Parts.SoftBody pair(points = [0, 0, 0; 0.01, 0, 0], fixedPoints = {1}, gridSize = 0.01, E = 1e5, zeta = 1, moleculeRadius = 0.004, breakingStrain = 0.1,
      pointForces = [2, 0, 0, 0, 0; 2, 0.3, 3, 0, 0]);
  end OneConnection;

  model TwoMaterials "Pairs of molecules on a line that are pulled: soft, stiff, and one of each"
    inner World world(g = 0);
    Parts.SoftBody soft(points = [0, 0, 0; 0.01, 0, 0], fixedPoints = {1}, pointForces = [2, 0, 0.01, 0, 0; 2, 1, 0.01, 0, 0],
      gridSize = 0.01, moleculeRadius = 0.004, E = 1e5, zeta = 1, sphereMasses = true);
    Parts.SoftBody stiff(points = [0, 0.1, 0; 0.01, 0.1, 0], fixedPoints = {1}, pointForces = [2, 0, 0.01, 0, 0; 2, 1, 0.01, 0, 0],
      gridSize = 0.01, moleculeRadius = 0.004, E = 3e5, rho = 2000, zeta = 1, sphereMasses = true);
    Parts.SoftBody both(points = [0, 0.2, 0; 0.01, 0.2, 0], fixedPoints = {1}, pointForces = [2, 0, 0.01, 0, 0; 2, 1, 0.01, 0, 0],
      gridSize = 0.01, moleculeRadius = 0.004, E = 1e5, zeta = 1, sphereMasses = true,
      materials = {Parts.SoftMaterial(E = 1e6), Parts.SoftMaterial(E = 3e5, rho = 2000, zeta = 1)}, pointMaterials = {0, 2});
    Actions.ChangeMaterial softer(at = 0.15, a = "both", E = 5e4) "Both of its materials";
  end TwoMaterials;
end Soft;
