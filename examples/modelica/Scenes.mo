package Scenes "Falling, bouncing, rolling and swinging bodies (thesis, Appendix B): the scenes that are also built in"
  // rattleback simulate Scenes.mo Scenes.Beams; each model says in its description what to plot.
  import Rattleback.*;
  constant Real degree(unit = "rad") = pi/180;

  model TwoBalls "A rolling ball hits a resting one (plot ball1.v_0[1], ball2.v_0[1])"
    inner World world(g = 9.81, n = {0, 0, -1}, publishedLaws = true);
    Parts.Solid table(shape = Shapes.Box(3, 0.5, 0.02), material = "BilliardTable", r = {0, 0, -0.01}, fixed = true);
    Parts.Solid ball1(shape = Shapes.Sphere(0.06), material = "BilliardBall", r = {-1.3, 0, 0.03}, v = {3, 0, 0});
    Parts.Solid ball2(shape = Shapes.Sphere(0.06), material = "BilliardBall", r = {0, 0, 0.03});
    annotation(experiment(StopTime = 1.5, Tolerance = 1e-7));
  end TwoBalls;

  model BouncingSphere "A spinning sphere falls off a step (plot sphere.r_0[2], sphere.r_0[3])"
    inner World world(g = 9.81, publishedLaws = true);
    parameter Real h(unit = "m") = 0.05 "Thickness of the plates";
    Parts.Solid ground(shape = Shapes.Box(0.8, h, 0.5), r = {0, -h/2, 0}, fixed = true);
    Parts.Solid bottom(shape = Shapes.Box(0.8, h, 0.5), r = {0, -0.4 - h/2, 0.5}, fixed = true);
    Parts.Solid wall(shape = Shapes.Box(0.8, 0.4, h), r = {0, -0.2, 0.75 + h/2}, fixed = true);
    Parts.Solid sphere(shape = Shapes.Sphere(0.2), r = {0, 1, 0}, w = {10, 0, -5});
    annotation(experiment(StopTime = 2.7, Tolerance = 1e-8));
  end BouncingSphere;

  model GuidedSphere "A sphere on a vertical guide bounces (plot guide.s)"
    inner World world(g = 9.81, publishedLaws = true);
    Parts.Solid ground(shape = Shapes.Box(4, 0.1, 0.7), r = {0, -0.15, 0}, fixed = true);
    Parts.Solid sphere(shape = Shapes.Sphere(0.2), mass = 0.001);
    Joints.Prismatic guide(n = {0, 1, 0}, canCollide = true, s(start = 1));
  equation
    connect(world.frame_b, guide.frame_a);
    connect(guide.frame_b, sphere.frame_a);
    annotation(experiment(StopTime = 2.2, Tolerance = 1e-8));
  end GuidedSphere;

  model BouncingEllipsoid "A spinning ellipsoid bounces (plot ellipsoid.r_0[2])"
    inner World world(g = 9.81, publishedLaws = true);
    replaceable Parts.Solid ground(shape = Shapes.Box(4, 0.1, 3), r = {0, -0.05, 0}, fixed = true) constrainedby Parts.Solid;
    Parts.Solid ellipsoid(shape = Shapes.Ellipsoid(0.1, 0.2, 0.3), r = {0, 1, 0}, w = {5, 0, -2});
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end BouncingEllipsoid;

  model EllipsoidOnSphere "An ellipsoid bounces off a sphere (plot ellipsoid.r_0[2])"
    extends BouncingEllipsoid(redeclare Parts.Solid ground(shape = Shapes.Sphere(1.5), r = {0, -0.05, 0}, fixed = true));
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end EllipsoidOnSphere;

  model Celt "The toy that turns back: its axes of inertia are turned against those of its shape (plot celt.w_0[3])"
    inner World world(g = 9.81, n = {0, 0, -1}, publishedLaws = true);
    parameter Real a(unit = "kg.m2") = 5.864306286700948e-7, b(unit = "kg.m2") = 7.623598172711232e-6 "Principal moments";
    parameter Real angle(unit = "rad") = -5*degree "Between the axes";
    Parts.Solid ground(shape = Shapes.Box(0.2, 0.2, 0.01), material = "DryWood", r = {0, 0, -0.005}, fixed = true);
    Parts.BodyShape celt(m = 0.014660765716752368, I_11 = a*cos(angle)^2 + b*sin(angle)^2, I_22 = a*sin(angle)^2 + b*cos(angle)^2, I_33 = b,
      I_21 = (a - b)*sin(angle)*cos(angle), shape = Shapes.Ellipsoid(0.1, 0.02, 0.02), material = "DryWood", collidable = true,
      r_0(start = {0, 0, 0.01}), w_0_start = {0, 0.1, 5});
    annotation(experiment(StopTime = 6, Tolerance = 1e-8));
  end Celt;

  partial model Falling "Three bodies fall on a plate, each described in a frame of its own whose axes are permuted"
    inner World world(g = 9.81, n = {0, 0, -1}, publishedLaws = true);
    parameter String material = "DryWood";
    parameter Shapes.Shape shape[3];
    parameter Real length(unit = "m") = 5 "Of the plate";
    parameter Real y(unit = "m") = 0 "Where they begin to fall";
    parameter Real tilt(unit = "rad"), speed(unit = "m/s"), spin(unit = "rad/s") = 0 "At the start";
    final parameter Real w[3](each unit = "rad/s") = {0, -sin(tilt)*spin, cos(tilt)*spin};
    Parts.Solid ground(shape = Shapes.Box(length, 3, 0.1), material = material, r = {0, 0, -0.05}, fixed = true);
    Parts.Fixed frame[3](r = {{-1, y, 1}, {0, y, 1}, {1, y, 1}}, angles = degree*{{-90, 0, -90}, {90, 90, 0}, {0, 0, 0}});
    Joints.FreeMotion free[3](angles_start = {{0, tilt, 0}, {0, 0, tilt}, {tilt, 0, 0}}, v_rel_a(start = {{0, speed, 0}, {0, 0, speed}, {speed, 0, 0}}),
      w_rel_a_start = {{w[3], w[1], w[2]}, {w[2], w[3], w[1]}, w}, each canCollide = true);
    Parts.Solid body[3](shape = shape, each material = material);
  equation
    connect(frame.frame_b, free.frame_a);
    connect(free.frame_b, body.frame_a);
  end Falling;

  model Capsules "Three capsules fall on a plate (plot body[1].r_0[3], body[3].r_0[3]: they are the same)"
    extends Falling(material = "Steel", shape = {Shapes.Capsule(0.4, 1, i) for i in 1:3}, tilt = -60*degree, speed = 1);
    annotation(experiment(StopTime = 1.4, Tolerance = 1e-8));
  end Capsules;

  model Cones "Three cones fall on a plate (plot body[1].r_0[3])"
    extends Falling(shape = {Shapes.Cone(0.4, 1, i) for i in 1:3}, y = -0.5, tilt = -60*degree, speed = 1);
    annotation(experiment(StopTime = 1.2, Tolerance = 1e-8));
  end Cones;

  model Frustums "Three frustums of cones fall on a plate (plot body[1].r_0[3])"
    extends Falling(shape = {Shapes.Cone(0.4, 1, i, 0.3) for i in 1:3}, y = -0.5, tilt = -60*degree, speed = 1);
    annotation(experiment(StopTime = 1.2, Tolerance = 1e-8));
  end Frustums;

  model Beams "Three spinning beams fall on a plate (plot body[1].r_0[3])"
    extends Falling(shape = {Shapes.Beam(1, 0.4, 0.2, i) for i in 1:3}, length = 7, tilt = -50*degree, speed = 2, spin = 2);
    annotation(experiment(StopTime = 1.2, Tolerance = 1e-8));
  end Beams;

  model Cylinders "Three pipes fall on two cylinders (plot pipe[1].r_0[3])"
    inner World world(g = 9.81, n = {0, 0, -1}, publishedLaws = true);
    Parts.Solid rest[2](each shape = Shapes.Cylinder(0.1, 1, 1), each material = "BilliardBall", r = {{0, 0.1, 0.2}, {0, -0.1, 0}}, each fixed = true);
    Parts.Solid pipe[3](shape = {Shapes.Cylinder(0.1, 0.5, i, 0.08) for i in 1:3}, each material = "BilliardBall",
      r = {{-0.3, -0.1, 0.5}, {0, -0.1, 0.5}, {0.3, -0.1, 0.5}}, angles = degree*{{0, -90, -80}, {-10, 0, 0}, {80, 0, 0}});
    annotation(experiment(StopTime = 0.7, Tolerance = 1e-8));
  end Cylinders;

  model PendulumChain "Ten links swing against a post (plot hinge[1].phi, hinge[10].phi)"
    inner World world(g = 9.81, n = {0, 0, -1}, publishedLaws = true);
    parameter Integer n = 10;
    Parts.Solid post(shape = Shapes.Cylinder(0.1, 1, 2), material = "DryWood", r = {-0.12, 0, -0.5}, fixed = true);
    Joints.Revolute hinge[n](each n = {0, 1, 0}, phi(start = {if i == 1 then -1.2 else 0 for i in 1:n}));
    Parts.Solid link[n](each shape = Shapes.Capsule(0.03, 0.06), each material = "DryWood", each r_shape = {0, 0, -0.05});
    Parts.FixedTranslation rod[n](each r = {0, 0, -0.1});
  equation
    connect(world.frame_b, hinge[1].frame_a);
    connect(hinge.frame_b, link.frame_a);
    connect(hinge.frame_b, rod.frame_a);
    connect(rod[1:n - 1].frame_b, hinge[2:n].frame_a);
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end PendulumChain;

  model Incline "A ball rolls down an incline: 5/7 g sin(15 deg), less what rolling resistance takes (plot ball.v_0[1])"
    inner World world(g = 9.81, n = {0, 0, -1}, publishedLaws = true);
    parameter Real slope(unit = "rad") = 15*degree;
    Parts.Solid plane(shape = Shapes.Box(4, 1, 0.1), material = "DryWood", angles = {0, slope, 0}, fixed = true);
    Parts.Solid ball(shape = Shapes.Sphere(0.1), material = "DryWood", r = 0.1*{sin(slope), 0, cos(slope)} - 1.8*{cos(slope), 0, -sin(slope)});
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Incline;

  model Cradle "Five spheres on strings (plot rev[1].phi, rev[5].phi)"
    inner World world(g = 9.81, n = {0, 0, -1}, publishedLaws = true);
    Materials.Solid heavy(name = "HeavyBilliardBall", density = 8000, youngsModulus = 5.4e9, poissonsRatio = 0.34);
    Parts.Fixed hook[5](r = {{0, (i - 3)*0.0202, 0} for i in 1:5});
    Joints.Revolute rev[5](each n = {1, 0, 0}, phi(start = {if i == 1 then -pi/3 else 0 for i in 1:5}));
    Parts.Solid ball[5](each shape = Shapes.Sphere(0.02), each material = "HeavyBilliardBall", each contactMaterial = "BilliardBall", each r_shape = {0, 0, -0.15});
  equation
    connect(hook.frame_b, rev.frame_a);
    connect(rev.frame_b, ball.frame_a);
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end Cradle;

  model RestingBox "A steel box slides on 10 degrees, and stays (plot box.v_0[1])"
    inner World world(g = 9.81, n = {0, 0, -1});
    parameter Real slope(unit = "rad") = 10*degree;
    final parameter Real down[3] = {cos(slope), 0, -sin(slope)}, up[3] = {sin(slope), 0, cos(slope)};
    Parts.Solid ground(shape = Shapes.Box(4, 4, 0.2), r = -0.1*up, angles = {0, slope, 0}, fixed = true);
    Parts.Solid box(shape = Shapes.Box(0.2, 0.15, 0.1), r = 0.05*up, angles = {0, slope, 0}, v = 0.1*down);
    annotation(experiment(StopTime = 10, Tolerance = 1e-7));
  end RestingBox;

  model FlatDrop "A steel box falls on its face and bounces (plot box.r_0[3])"
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.Solid ground(shape = Shapes.Box(4, 4, 0.2), r = {0, 0, -0.1}, fixed = true);
    Parts.Solid box(shape = Shapes.Box(0.1, 0.1, 0.1), r = {0, 0, 0.06});
    annotation(experiment(StopTime = 0.15, Tolerance = 1e-7));
  end FlatDrop;

  model TippeTop "A top that turns over and stands on its stem (plot top.r_0[3], stem.r_0[3]; numbers of Rauch-Wojciechowski et al. 2005)"
    inner World world(g = 9.81, n = {0, 0, -1});
    parameter Real R(unit = "m") = 0.02, m(unit = "kg") = 0.02, tilt(unit = "rad") = 0.1, spin(unit = "rad/s") = 155;
    final parameter Real below(unit = "m") = 0.3*R "Centre of mass under that of the sphere";
    final parameter Real w[3](each unit = "rad/s") = spin*{0, -sin(tilt), cos(tilt)};
    Materials.Pair smooth(a = "DryWood", b = "DryWood", restitution = 0.3, slidingFriction = 0.3, twistingFriction = 0);
    Parts.Solid table(shape = Shapes.Box(1, 1, 0.05), material = "DryWood", r = {0, 0, -0.025}, fixed = true);
    Parts.BodyShape top(m = m, r_CM = {0, 0, -below}, I_11 = 131/350*m*R^2, I_22 = 131/350*m*R^2, I_33 = 0.4*m*R^2, shape = Shapes.Sphere(2*R), material = "DryWood",
      collidable = true, r = {0, 0, 1.05*R}, r_0(start = {0, 0, R}), v_0(start = cross({0, below*sin(tilt), -below*cos(tilt)}, w)), angles_start = {tilt, 0, 0}, w_0_start = w);
    Parts.Solid stem(shape = Shapes.Sphere(0.3*R), material = "DryWood", mass = 1e-9);
  equation
    connect(top.frame_b, stem.frame_a);
    annotation(experiment(StopTime = 6, Tolerance = 1e-7));
  end TippeTop;

  model Cards "Two cards lean on each other; friction must be at least half the tangent of their angle (plot left.r_0[3])"
    inner World world(g = 9.81, n = {0, 0, -1});
    parameter Real angle(unit = "rad") = 0.3 "From the upright";
    parameter Real size[3](each unit = "m") = {0.002, 0.063, 0.088};
    final parameter Real x(unit = "m") = 0.5*(size[3]*sin(angle) + size[1]*cos(angle)), z(unit = "m") = 0.5*(size[3]*cos(angle) + size[1]*sin(angle));
    Materials.Solid card(name = "Card", density = 900);
    Materials.SurfacePair edges(a = "Card", b = "Card", form = Types.VolumeForm.potential, modulus = 1e9, length = 0.01, restitution = 0.3, slidingFriction = 0.4);
    Parts.Workpiece floor(mesh = Solids.translate(Solids.Box({0.5, 0.2, 0.02}), {-0.25, -0.1, -0.01}), material = "Card", r = {0, 0, -0.01}, fixed = true);
    Parts.Workpiece left(mesh = Solids.translate(Solids.Box(size), -0.5*size), material = "Card", r = {-x, 0, z}, angles = {0, angle, 0});
    Parts.Workpiece right(mesh = Solids.translate(Solids.Box(size), -0.5*size), material = "Card", r = {x, 0, z}, angles = {0, -angle, 0});
    annotation(experiment(StopTime = 5, Tolerance = 1e-6));
  end Cards;

  model Rails "A roller lies on two rails (plot roller.r_0[3])"
    inner World world(g = 9.81, n = {0, 0, -1});
    Parts.Solid rail[2](each shape = Shapes.Box(1, 0.04, 0.06), r = {{0, -0.15, -0.03}, {0, 0.15, -0.03}}, each fixed = true);
    Parts.Solid roller(shape = Shapes.Cylinder(0.1, 0.5, 2), r = {0, 0, 0.05});
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Rails;

  function stave "Piece k of a round wall about the y axis that has 12 of them"
    input Integer k;
    input Real r[2](each unit = "m") "Radii";
    input Real y[2](each unit = "m") "From and to";
    output Solids.TriangleMesh piece;
  protected
    Real t[2](each unit = "rad") = {2*pi*k/12, 2*pi*(k + 1)/12};
  algorithm
    piece := Solids.Hull({{r[mod(div(i, 2), 2) + 1]*cos(t[mod(i, 2) + 1]), y[div(i, 4) + 1], r[mod(div(i, 2), 2) + 1]*sin(t[mod(i, 2) + 1])} for i in 0:7});
  end stave;

  function prism "Corners of a prism of 12 sides about the y axis"
    input Real r(unit = "m"), height(unit = "m");
    output Real points[24, 3](each unit = "m") = {{r*cos(2*pi*div(k, 2)/12), height*mod(k, 2), r*sin(2*pi*div(k, 2)/12)} for k in 0:23};
  algorithm
  end prism;

  partial model FallingOnCup "A sphere falls on a cup"
    inner World world(g = 9.81, publishedLaws = true);
    replaceable Parts.Pieces cup(fixed = true);
    Parts.Solid sphere(shape = Shapes.Sphere(0.2), r = {0.02, 2, 0.01});
  end FallingOnCup;

  function cupPieces "Wall, base and handle"
    output Solids.TriangleMesh pieces[16];
  algorithm
    for k in 1:12 loop
      pieces[k] := stave(k - 1, {0.17, 0.2}, {0.03, 0.4});
    end for;
    pieces[13] := Solids.Hull(prism(0.2, 0.03));
    pieces[14] := Solids.translate(Solids.Box({0.1, 0.04, 0.04}), {0.2, 0.3, -0.02});
    pieces[15] := Solids.translate(Solids.Box({0.1, 0.04, 0.04}), {0.2, 0.1, -0.02});
    pieces[16] := Solids.translate(Solids.Box({0.04, 0.24, 0.04}), {0.3, 0.1, -0.02});
  end cupPieces;

  model CupOfParts "A sphere falls into a cup of convex parts (plot sphere.r_0[2])"
    extends FallingOnCup(cup(pieces = cupPieces()));
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end CupOfParts;

  model CupHull "A sphere falls on the convex hull of that cup, which is closed (plot sphere.r_0[2])"
    extends FallingOnCup(cup(pieces = {Solids.Hull(cat(1, prism(0.2, 0.4), {{0.34, 0.1, -0.02}, {0.34, 0.1, 0.02}, {0.34, 0.34, -0.02}, {0.34, 0.34, 0.02}}))}));
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end CupHull;

  model Pipe "A ball rolls through a pipe of convex parts (plot ball.r_0[2])"
    inner World world(g = 9.81, n = {0, 0.2, -1}, publishedLaws = true);
    parameter Real radius(unit = "m") = 0.03 "Of the ball";
    final parameter Real low(unit = "m") = 0.1*cos(pi/12) - radius "Where it lies: the lowest stave is flat";
    Parts.Pieces pipe(pieces = {stave(k, {0.1, 0.12}, {0, 1}) for k in 0:11}, fixed = true);
    Parts.Solid ball(shape = Shapes.Sphere(2*radius), r = {sin(pi/12)*low, 0.05, -cos(pi/12)*low}, v = {0.3, 0.2, 0});
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Pipe;
end Scenes;
