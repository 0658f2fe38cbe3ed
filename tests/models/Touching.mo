package Touching "Contact data that a model brings along"
  import Rattleback.*;

  model Resting "Blocks of 0.1 m x 0.1 m x 0.2 m and 2 kg set on a table: one by a potential, one on a layer of rubber"
    inner World world(gravity = {0, 0, -9.81});
    Materials.SurfacePair soft(a = "table", b = "brick[1]", form = Types.VolumeForm.potential, modulus = 1e7, length = 0.1, restitution = 0, smallSpeed = 1);
    Materials.LayerPair rubber(a = "brick[2]", b = "table", youngsModulus = {1e6, 0}, poissonsRatio = {0.25, 0.3}, depth = {0.01, 0}, base = Types.Base.a, compressionDamping = 1e6);
    Parts.Workpiece table(mesh = Solids.Box({1, 1, 0.1}), r = {-0.5, -0.5, -0.1}, fixed = true);
    Parts.Workpiece brick[2](each mesh = Solids.Box({0.1, 0.1, 0.2}), each mass = 2, r = {{-0.3, 0, 0}, {0.2, 0, 0}});
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Resting;

  model Bedded "A block on a bedding: pressure modulus depth/length"
    extends Resting(soft(form = Types.VolumeForm.bedding));
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Bedded;

  model Reduced "The same, all contacts softer by a quarter"
    extends Resting(world(elasticContactReductionFactor = 0.25));
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Reduced;

  model Rolling "A roller of steel on a slope of 0.05 that is a mesh, its facets turned by half a segment of 48"
    inner World world(gravity = {9.81*sin(0.05), 0, -9.81*cos(0.05)});
    Materials.Pair pair(a = "Steel", b = "Steel", restitution = 0.2, slidingFriction = 0.5);
    Parts.Workpiece slope(mesh = Solids.Box({4, 1, 0.2}), r = {-1, -0.5, -0.2}, fixed = true);
    Parts.Solid roller(shape = Shapes.Cylinder(0.1, 0.2, axis = 2), r = {0, 0, 0.05}, angles = {0, 3.141592653589793/48, 0});
    annotation(experiment(StopTime = 1, Tolerance = 1e-6));
  end Rolling;

  model Sliding "A steel block slides down a plate; both are meshes"
    inner World world(gravity = {9.81*sin(0.4), 0, -9.81*cos(0.4)});
    Materials.Pair pair(a = "Steel", b = "Steel", restitution = 0.3, slidingFriction = 0.3);
    Parts.Workpiece plate(mesh = Solids.Box({4, 1, 0.2}), r = {-1, -0.5, -0.2}, fixed = true);
    Parts.Workpiece block_(mesh = Solids.translate(Solids.Box({0.1, 0.08, 0.06}), {-0.05, -0.04, -0.03}), r = {0, 0, 0.03});
    annotation(experiment(StopTime = 1, Tolerance = 1e-7));
  end Sliding;

  model Order "What is said of parts counts for these two, whatever was said of materials, and in any order"
    inner World world(gravity = {0, 0, -9.81});
    Materials.Pair of_parts(a = "ball[1]", b = "floor[1]", restitution = 1);
    Materials.Pair of_materials(a = "Steel", b = "Steel", restitution = 0.5, smallSpeed = 1e-4);
    Parts.Solid floor[3](each shape = Shapes.Box(1, 1, 0.1), r = {{0, 0, -0.05}, {2, 0, -0.05}, {4, 0, -0.05}}, each fixed = true);
    Parts.Solid ball[3](each shape = Shapes.Sphere(0.1), r = {{0, 0, 0.15}, {2, 0, 0.15}, {4, 0, 0.15}});
    Materials.Pair through(a = "ball[3]", b = "floor[3]", response = Types.Response.none);
    annotation(experiment(StopTime = 0.25, Tolerance = 1e-9));
  end Order;

  model Frictions "Spheres that cannot turn slide on tables: 0.3 sliding, 0.6 below 2 m/s, and no more than a tenth of the weight"
    inner World world(gravity = {0, 0, -9.81});
    Materials.Pair sliding(a = "box[1]", b = "floor", slidingFriction = 0.3, friction = Types.Friction.sliding, restitution = 0, smallSpeed = 1e-4);
    Materials.Pair static_(a = "box[2]", b = "floor", slidingFriction = 0.3, staticFriction = 0.6, staticSpeed = 2, friction = Types.Friction.static_, restitution = 0, smallSpeed = 1e-4);
    Materials.Pair limited(a = "box[3]", b = "floor", slidingFriction = 0.3, staticFriction = 0.3, maximumFriction = 0.981, friction = Types.Friction.static_, restitution = 0, smallSpeed = 1e-4);
    Parts.Solid floor(shape = Shapes.Box(10, 10, 0.1), r = {0, 0, -0.05}, fixed = true);
    Joints.Planar guide[3](each n = {0, 1, 0}, each n_x = {1, 0, 0}, each v_x(start = 1.5), each canCollide = true) "Along x and z, and about y";
    Parts.Fixed place[3](r = {{0, -1, 0.05}, {0, 0, 0.05}, {0, 1, 0.05}});
    Parts.BodyShape box[3](each shape = Shapes.Sphere(0.1), each m = 1, each I_22 = 1e6, each collidable = true);
  equation
    connect(place.frame_b, guide.frame_a);
    connect(guide.frame_b, box.frame_a);
    annotation(experiment(StopTime = 0.2, Tolerance = 1e-9));
  end Frictions;

  model Motor "A damper that a motor turns, and one with a constant torque: the speed tends to tau_0/d; a force along a guide"
    inner World world(gravityType = World.GravityType.NoGravity);
    Joints.Revolute hinge(d = 2, tau_0 = 6);
    Joints.Revolute turned(d = 2, w_rest = 3);
    Joints.Prismatic guide(f_0 = 3);
    Parts.BodyWorkpiece rotor(mesh = Solids.Box({0.1, 0.1, 0.1}), m = 1, I_33 = 0.5, collidable = false);
    Parts.Body wheel(I_33 = 0.5), slide(m = 2);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, rotor.frame_a);
    connect(world.frame_b, turned.frame_a);
    connect(turned.frame_b, wheel.frame_a);
    connect(world.frame_b, guide.frame_a);
    connect(guide.frame_b, slide.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end Motor;

  model Pieces "A pendulum of two convex pieces: an L of two bars"
    inner World world(g = 9.81);
    Materials.Solid light(name = "Light", density = 100);
    Joints.Revolute hinge;
    Parts.Pieces el(pieces = {Solids.Box({0.4, 0.1, 0.1}), Solids.translate(Solids.Box({0.1, 0.3, 0.1}), {0, 0.1, 0})}, material = "Light");
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, el.frame_a);
    annotation(experiment(StopTime = 0.1, Tolerance = 1e-9));
  end Pieces;

  model Added "Shapes that are added to bodies that fall 0.1 m along guides; the second ignores the floor"
    inner World world(gravity = {0, 0, -9.81});
    Materials.Pair half(a = "Steel", b = "Steel", restitution = 0.5, smallSpeed = 1e-4);
    Parts.Solid floor(shape = Shapes.Box(4, 1, 0.1), r = {0, 0, -0.05}, fixed = true);
    Parts.Fixed place[2](r = {{0, 0, 0.15}, {1, 0, 0.15}});
    Joints.Prismatic guide[2](each n = {0, 0, 1}, each canCollide = true);
    Parts.Body body[2](each m = 4);
    Parts.CollisionBody foot(shape = Shapes.Sphere(0.1)), ghost(shape = Shapes.Sphere(0.1), ignore = {"floor"});
  equation
    connect(place.frame_b, guide.frame_a);
    connect(guide.frame_b, body.frame_a);
    connect(body[1].frame_a, foot.frame_a);
    connect(body[2].frame_a, ghost.frame_a);
    annotation(experiment(StopTime = 0.25, Tolerance = 1e-9));
  end Added;

  model Known "Mass and inertia of a solid as numbers: an L of two bars, 4 and 3 kg; and a body that has them"
    inner World world(g = 9.81);
    parameter Solids.MassProperties p = Solids.massProperties(Solids.Box({0.4, 0.1, 0.1}) + Solids.Box({0.1, 0.4, 0.1}), 1000);
    parameter Real x = (4*0.2 + 3*0.05)/7;
    parameter Real I_33 = 4*(0.17/12 + 0.2^2 + 0.05^2) + 3*(0.1/12 + 0.05^2 + 0.25^2) - 7*2*x^2;
    parameter Real I_21 = -(4*0.2*0.05 + 3*0.05*0.25 - 7*x^2);
    Joints.Revolute hinge;
    Parts.Body body(m = p.m, r_CM = p.r_CM, I_11 = p.I_11, I_22 = p.I_22, I_33 = p.I_33, I_21 = p.I_21, I_31 = p.I_31, I_32 = p.I_32);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
    assert(abs(p.m - 7) < 1e-12 and abs(p.r_CM[1] - x) < 1e-14 and abs(p.r_CM[2] - x) < 1e-14 and abs(p.r_CM[3] - 0.05) < 1e-14, "centre " + String(p.r_CM[1], significantDigits = 17));
    assert(abs(p.I_33 - I_33) < 1e-13 and abs(p.I_21 - I_21) < 1e-13 and abs(p.I_31) < 1e-14 and abs(p.I_11 - p.I_22) < 1e-13, "I_33 " + String(p.I_33) + " I_21 " + String(p.I_21));
    annotation(experiment(StopTime = 0.1, Tolerance = 1e-9));
  end Known;

  model NoSolid "A hull of points in a plane has no mass"
    extends Known(p = Solids.massProperties(Solids.Hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), 1000));
    annotation(experiment(StopTime = 0.1, Tolerance = 1e-9));
  end NoSolid;
end Touching;
