package Collisions "Contact for mechanics that is written as equations"
  import Rattleback.*;

  package Equations "A little of what Modelica.Mechanics.MultiBody has, with the same connector"
    record Orientation
      Real T[3, 3];
      Real w[3];
      encapsulated function equalityConstraint
        import Collisions.Equations.Orientation;
        input Orientation R1;
        input Orientation R2;
        output Real residue[3];
      algorithm
        residue := {R1.T[2, :]*R2.T[3, :], R1.T[3, :]*R2.T[1, :], R1.T[1, :]*R2.T[2, :]};
      end equalityConstraint;
    end Orientation;

    connector Frame
      Real r_0[3];
      Orientation R;
      flow Real f[3];
      flow Real t[3];
    end Frame;

    model Fixed "Does not move"
      parameter Real r[3] = zeros(3);
      Frame frame_b;
    equation
      Connections.root(frame_b.R);
      frame_b.r_0 = r;
      frame_b.R.T = identity(3);
      frame_b.R.w = zeros(3);
    end Fixed;

    model Revolute
      parameter Real n[3] = {0, 0, 1};
      Real phi(start = 0), w(start = 0);
      Real T[3, 3] = [n]*transpose([n]) + (identity(3) - [n]*transpose([n]))*cos(phi) - skew(n)*sin(phi);
      Frame frame_a, frame_b;
    equation
      Connections.branch(frame_a.R, frame_b.R);
      w = der(phi);
      frame_b.r_0 = frame_a.r_0;
      frame_b.R.T = T*frame_a.R.T;
      frame_b.R.w = T*frame_a.R.w + n*w;
      zeros(3) = frame_a.f + transpose(T)*frame_b.f;
      zeros(3) = frame_a.t + transpose(T)*frame_b.t;
      0 = frame_b.t*n;
    end Revolute;

    model FixedTranslation
      parameter Real r[3];
      Frame frame_a, frame_b;
    equation
      Connections.branch(frame_a.R, frame_b.R);
      frame_b.r_0 = frame_a.r_0 + transpose(frame_a.R.T)*r;
      frame_b.R.T = frame_a.R.T;
      frame_b.R.w = frame_a.R.w;
      zeros(3) = frame_a.f + frame_b.f;
      zeros(3) = frame_a.t + frame_b.t + cross(r, frame_b.f);
    end FixedTranslation;

    model Body
      parameter Real m, J "About every axis", gravity[3] = {0, -9.81, 0};
      Frame frame_a;
      Real v_0[3], a_0[3];
    equation
      v_0 = der(frame_a.r_0);
      a_0 = der(v_0);
      frame_a.f = m*frame_a.R.T*(a_0 - gravity);
      frame_a.t = J*der(frame_a.R.w);
    end Body;
  end Equations;

  model Pendulum "Nothing but equations and collision bodies"
    Equations.Fixed world;
    Equations.Revolute hinge(phi(start = 0.8, fixed = true), w(start = 0, fixed = true));
    Equations.FixedTranslation rod(r = {0.5, 0, 0});
    Equations.Body body(m = 4, J = 0.004);
    parameter Real thickness = 0.02, d = 0.1;
    Equations.Fixed base(r = {0.5, -0.06 - thickness/2, 0});
    Contact.CollisionBody head(shape = Shapes.Sphere(d));
    Contact.CollisionBody plate(shape = Shapes.Box(0.3, thickness, 0.3));
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, rod.frame_a);
    connect(rod.frame_b, body.frame_a);
    connect(rod.frame_b, head.frame_a);
    connect(base.frame_b, plate.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-11));
  end Pendulum;

  model PendulumOfParts "The same by the engine"
    inner Rattleback.World world(g = 9.81);
    parameter Real thickness = 0.02, d = 0.1;
    Joints.Revolute hinge(canCollide = true, phi(start = 0.8, fixed = true), w(start = 0, fixed = true));
    Parts.FixedTranslation rod(r = {0.5, 0, 0});
    Parts.BodyShape head(m = 4, I_11 = 0.004, I_22 = 0.004, I_33 = 0.004, r = zeros(3), collidable = true, shape = Shapes.Sphere(d));
    Parts.Solid plate(shape = Shapes.Box(0.3, thickness, 0.3), r = {0.5, -0.06 - thickness/2, 0}, fixed = true);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, rod.frame_a);
    connect(rod.frame_b, head.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-11));
  end PendulumOfParts;

  model Arm "Three axes; the tool hits a wall, slides along it and leaves it"
    Equations.Fixed world;
    Equations.Revolute joint[3](n = {{0, 1, 0}, {0, 0, 1}, {0, 0, 1}}, phi(start = {0.3, 0.9, -0.6}, each fixed = true), w(start = {-1.5, 0, 0}, each fixed = true));
    Equations.FixedTranslation link[2](r = {{0.6, 0, 0}, {0.5, 0, 0}});
    Equations.Body body[2](m = {3, 2}, J = {0.05, 0.02});
    Equations.Fixed base(r = {0.6, 0, 0.35});
    Contact.CollisionBody tool(shape = Shapes.Sphere(0.1));
    Contact.CollisionBody wall(shape = Shapes.Box(2, 3, 0.1));
  equation
    connect(world.frame_b, joint[1].frame_a);
    connect(joint[1].frame_b, joint[2].frame_a);
    connect(joint[2].frame_b, link[1].frame_a);
    connect(link[1].frame_b, body[1].frame_a);
    connect(link[1].frame_b, joint[3].frame_a);
    connect(joint[3].frame_b, link[2].frame_a);
    connect(link[2].frame_b, body[2].frame_a);
    connect(link[2].frame_b, tool.frame_a);
    connect(base.frame_b, wall.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-11));
  end Arm;

  model ArmOfParts "The same by the engine"
    inner Rattleback.World world(g = 9.81);
    Joints.Revolute joint[3](each canCollide = true, n = {{0, 1, 0}, {0, 0, 1}, {0, 0, 1}}, phi(start = {0.3, 0.9, -0.6}, each fixed = true), w(start = {-1.5, 0, 0}, each fixed = true));
    Parts.FixedTranslation link[2](r = {{0.6, 0, 0}, {0.5, 0, 0}});
    Parts.Body body(m = 3, I_11 = 0.05, I_22 = 0.05, I_33 = 0.05);
    Parts.BodyShape tool(m = 2, I_11 = 0.02, I_22 = 0.02, I_33 = 0.02, r = zeros(3), collidable = true, shape = Shapes.Sphere(0.1));
    Parts.Solid wall(shape = Shapes.Box(2, 3, 0.1), r = {0.6, 0, 0.35}, fixed = true);
  equation
    connect(world.frame_b, joint[1].frame_a);
    connect(joint[1].frame_b, joint[2].frame_a);
    connect(joint[2].frame_b, link[1].frame_a);
    connect(link[1].frame_b, body.frame_a);
    connect(link[1].frame_b, joint[3].frame_a);
    connect(joint[3].frame_b, link[2].frame_a);
    connect(link[2].frame_b, tool.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-11));
  end ArmOfParts;

  model Cart "A mass in equations"
    parameter Real m = 3;
    Real s(start = 0, fixed = true), v(start = 0, fixed = true);
    Equations.Frame frame;
  equation
    Connections.root(frame.R);
    frame.r_0 = {s, 0, 0};
    frame.R.T = identity(3);
    frame.R.w = zeros(3);
    v = der(s);
    m*der(v) = frame.f[1]; // flow into the component is what it takes
  end Cart;

  model CartAndBall "A cart of the equations hits a ball of the engine, which is free, head on"
    inner Rattleback.World world(gravityType = Rattleback.World.GravityType.NoGravity);
    Cart cart(m = 3, v(start = 2));
    Contact.CollisionBody bumper(shape = Shapes.Sphere(0.2));
    Parts.Solid ball(shape = Shapes.Sphere(0.2), mass = 5, r = {0.5, 0, 0});
  equation
    connect(cart.frame, bumper.frame_a);
    annotation(experiment(StopTime = 0.5, Tolerance = 1e-10));
  end CartAndBall;

  model TwoCarts "Both in equations"
    Cart cart[2](m = {3, 5}, v(start = {2, 0}), s(start = {0, 0.5}));
    Contact.CollisionBody bumper[2](each shape = Shapes.Sphere(0.2));
  equation
    for i in 1:2 loop
      connect(cart[i].frame, bumper[i].frame_a);
    end for;
    annotation(experiment(StopTime = 0.5, Tolerance = 1e-10));
  end TwoCarts;

  model Ignored "They pass through each other"
    extends TwoCarts(bumper(each ignore = {"bumper[2]"}));
    annotation(experiment(StopTime = 0.5, Tolerance = 1e-10));
  end Ignored;

  model OneFrame "Two shapes on one frame do not touch each other"
    extends TwoCarts;
    Contact.CollisionBody hood(shape = Shapes.Sphere(0.2), r_shape = {-0.1, 0, 0});
  equation
    connect(hood.frame_a, cart[1].frame);
    annotation(experiment(StopTime = 0.5, Tolerance = 1e-10));
  end OneFrame;

  model SoftBumpers "What two parts have of their own does not concern a third"
    extends TwoCarts(cart(v(start = {2, 0})));
    Materials.Pair pair(a = "bumper[1]", b = "bumper[2]", restitution = 0.3);
    Cart third(m = 3, s(start = 0, fixed = true), v(start = -2));
    Contact.CollisionBody other(shape = Shapes.Sphere(0.2), r_shape = {-0.5, 0, 0}, ignore = {"bumper[2]"});
    Cart wall(m = 1e9, s(start = -1.2));
    Contact.CollisionBody stop(shape = Shapes.Sphere(0.2), ignore = {"bumper[1]"});
  equation
    connect(third.frame, other.frame_a);
    connect(wall.frame, stop.frame_a);
    annotation(experiment(StopTime = 0.6, Tolerance = 1e-10));
  end SoftBumpers;

  model OwnMaterial "A spring of rubber between two carts: m x'' = -c x for half a period"
    extends TwoCarts(bumper(each material = "Rubber"));
    Materials.Solid rubber(name = "Rubber", density = 1000, youngsModulus = 1e6, poissonsRatio = 0.49);
    Materials.Pair pair(a = "Rubber", b = "Rubber", stiffness = 5000, exponent = 1);
    annotation(experiment(StopTime = 0.5, Tolerance = 1e-10));
  end OwnMaterial;

  model UnknownInPair
    extends TwoCarts;
    Materials.Pair pair(a = "bumper[1]", b = "Chese");
  end UnknownInPair;

  model UnknownIgnored
    Cart cart;
    Contact.CollisionBody bumper(shape = Shapes.Sphere(0.2), ignore = {"bumpr"});
    Contact.CollisionBody other(shape = Shapes.Sphere(0.2), r_shape = {3, 0, 0});
  equation
    connect(cart.frame, bumper.frame_a);
    connect(cart.frame, other.frame_a);
  end UnknownIgnored;

  model MeshPendulum "An L on a hinge, twice: as equations with the mass of its mesh, and by the engine; both hit a block"
    parameter Solids.TriangleMesh el = Solids.Box({0.4, 0.1, 0.1}) + Solids.Box({0.1, 0.4, 0.1});
    inner World world(n = {0, -1, 0}, g = 9.80665);
    Materials.SurfacePair soft(a = "Steel", b = "Steel", modulus = 1e7, restitution = 0.5);
    Equations.Fixed base;
    Equations.Revolute hinge(phi(start = 0.5, fixed = true), w(start = 0, fixed = true));
    Contact.MeshBody body(mesh = el, density = 1000);
    Parts.Solid stop(shape = Shapes.Box(0.1, 0.1, 0.3), r = {0.35, -0.12, 0.05}, fixed = true);
    Parts.Solid otherStop(shape = Shapes.Box(0.1, 0.1, 0.3), r = {0.35, -0.12, 2.05}, fixed = true);
    Parts.Fixed otherBase(r = {0, 0, 2});
    Joints.Revolute otherHinge(phi(start = 0.5), canCollide = true);
    Parts.Workpiece other(mesh = el, mass = 7);
  equation
    connect(base.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
    connect(otherBase.frame_b, otherHinge.frame_a);
    connect(otherHinge.frame_b, other.frame_a);
    annotation(experiment(StopTime = 0.6, Tolerance = 1e-9));
  end MeshPendulum;
end Collisions;
