package OwnFunctions "Gravity and contact as functions of the model"
  import Rattleback.*;

  function spring "Towards the origin in proportion to the distance"
    extends Interfaces.partialGravityAcceleration;
    input Real k[3](each unit = "1/s2") "Along x, y, z";
  algorithm
    for i in 1:3 loop
      gravity[i] := -k[i]*r[i];
    end for;
  end spring;

  function attraction "As gravityType = PointGravity"
    extends Interfaces.partialGravityAcceleration;
    input Real mu;
  algorithm
    gravity := -mu/(r*r)*(r/sqrt(r*r));
  end attraction;

  function uniform
    extends Interfaces.partialGravityAcceleration;
    input Real g;
  algorithm
    gravity := {0, 0, -g};
  end uniform;

  model Swing "x = cos 2t, y = sin(t), z = 2 cos 3t"
    parameter Real k[3] = {4, 1, 9};
    inner World world(redeclare function gravityAcceleration = spring(k = k));
    Parts.Body body(m = 2, r_CM = {0.1, 0, 0}, r_0(start = {0.9, 0, 2}), v_0(start = {0, 1, 0}));
    annotation(experiment(StopTime = 3, Tolerance = 1e-10));
  end Swing;

  model Orbit "A body on a pole in an orbit: by a function, and built in"
    parameter Real mu = 2;
    inner World world(redeclare function gravityAcceleration = attraction(mu = mu));
    Parts.Body body(r_CM = {0.2, 0, 0}, r_0(start = {1, 0, 0}), v_0(start = {0, 1.5, 0}));
    annotation(experiment(StopTime = 20, Tolerance = 1e-10));
  end Orbit;

  model OrbitBuiltIn
    inner World world(gravityType = World.GravityType.PointGravity, mu = 2);
    Parts.Body body(r_CM = {0.2, 0, 0}, r_0(start = {1, 0, 0}), v_0(start = {0, 1.5, 0}));
    annotation(experiment(StopTime = 20, Tolerance = 1e-10));
  end OrbitBuiltIn;

  model Driven "A drive beside it: equations are evaluated around the call"
    inner World world(redeclare function gravityAcceleration = uniform(g = 9.81));
    Joints.Revolute hinge(n = {0, 1, 0}, useAxisFlange = true);
    Parts.Body body(m = 1, r_CM = {1, 0, 0}, I_22 = 0.5);
    Rotational.Components.Inertia motor(J = 0.3);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
    connect(motor.flange_b, hinge.axis);
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Driven;

  model NoField "The function refuses half of the world"
    function half
      extends Interfaces.partialGravityAcceleration;
    algorithm
      assert(r[1] < 1, "there is no gravity beyond x = 1");
      gravity := {0, 0, -9.81};
    end half;
    inner World world(redeclare function gravityAcceleration = half);
    Parts.Body body(v_0(start = {2, 0, 0}));
    annotation(experiment(StopTime = 2));
  end NoField;

  function linear
    extends Materials.NormalForce;
    input Real c;
    input Real d = 0;
  algorithm
    f := c*depth*(1 + d*rate);
  end linear;

  function hertz "With the exponent written otherwise"
    extends Materials.NormalForce;
  algorithm
    f := if depth > 0 then 4/3*modulus*sqrt(radius*depth^3) else 0;
  end hertz;

  partial model Wall "A ball flies against a wall, without gravity"
    inner World world(gravityType = World.GravityType.NoGravity);
    Parts.Solid wall(shape = Shapes.Box(0.2, 2, 2), fixed = true, r = {1, 0, 0});
    Parts.Solid ball(shape = Shapes.Sphere(0.1), mass = 1, v = {2, 0.5, 0}, w = {0, 0, 3});
  end Wall;

  model Linear "Touches at 0.85 m, turns back after half a period"
    parameter Real c = 1e4;
    extends Wall;
    Materials.FunctionPair law(a = "Steel", b = "Steel", redeclare function normalForce = linear(c = c));
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end Linear;

  model Damped
    extends Wall;
    Materials.FunctionPair law(a = "Steel", b = "Steel", slidingFriction = 0.3, redeclare function normalForce = linear(c = 1e4, d = 0.2));
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end Damped;

  model Hertz
    extends Wall;
    Materials.FunctionPair law(a = "Steel", b = "Steel", slidingFriction = 0.3, redeclare function normalForce = hertz);
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end Hertz;

  model HertzBuiltIn
    extends Wall;
    Materials.Pair law(a = "Steel", b = "Steel", slidingFriction = 0.3, restitution = 1);
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end HertzBuiltIn;

  model OtherWorld "Says nothing about gravity"
    extends World(g = 9.81);
  end OtherWorld;

  model Fall "In a world of another class gravity is what gravityType says"
    inner OtherWorld world;
    Parts.Body body(m = 2);
    annotation(experiment(StopTime = 1));
  end Fall;

  function crossed "Pulls along y where it is stretched along x"
    extends Forces.BushingForce;
    input Real c(unit = "N/m") = 1;
    input Real k(unit = "N/m") = 0;
  algorithm
    assert(abs(r[1]) < 3, "the rubber tears at 3 m");
    f := {c*r[1] + k*r[2], k*r[1] + c*r[2], c*r[3]};
  end crossed;

  function wringing "About z alone"
    extends Forces.BushingTorque;
    input Real c(unit = "N.m/rad") = 1;
  algorithm
    tau := {0, 0, c*angles[3]};
  end wringing;

  partial model Rubber "A body on a bushing, without gravity"
    inner World world(gravityType = World.GravityType.NoGravity);
    Parts.Body body(m = 2, I_11 = 0.1, I_22 = 0.2, I_33 = 0.4, r_0(start = {1, 0, 0}), w_0_start = {0, 0, 0.1});
  end Rubber;

  model Crossed "Two modes along the diagonals: 50 and 30 N/m; one about z: 10 N.m/rad"
    extends Rubber;
    Forces.FunctionBushing rubber(redeclare function force = crossed(c = 40, k = 10), redeclare function torque = wringing(c = 10), largeAngles = true);
  equation
    connect(world.frame_b, rubber.frame_a);
    connect(rubber.frame_b, body.frame_a);
    annotation(experiment(StopTime = 3, Tolerance = 1e-9));
  end Crossed;

  model Torn "Moves too far"
    extends Rubber(body(v_0(start = {20, 0, 0})));
    Forces.FunctionBushing rubber(redeclare function force = crossed(c = 40));
  equation
    connect(world.frame_b, rubber.frame_a);
    connect(rubber.frame_b, body.frame_a);
    annotation(experiment(StopTime = 3, Tolerance = 1e-9));
  end Torn;

  function plain "As the bushing of the engine"
    extends Forces.BushingForce;
  algorithm
    f := {30*r[1] + v[1], 40*r[2] + 2*v[2], 50*r[3] + 3*v[3]};
  end plain;

  function plainTorque
    extends Forces.BushingTorque;
  algorithm
    tau := {3*angles[1] + 0.1*w[1], 4*angles[2] + 0.2*w[2], 5*angles[3] + 0.3*w[3]};
  end plainTorque;

  partial model Tumbling "Between two bodies"
    inner World world(gravityType = World.GravityType.NoGravity);
    Parts.Body body(m = 2, I_11 = 0.1, I_22 = 0.2, I_33 = 0.25, w_0_start = {0.3, 0.2, 0.1});
    Parts.Body other(m = 1, I_11 = 0.05, I_22 = 0.07, I_33 = 0.06, r_0(start = {0.5, 0.4, 0.3}));
  end Tumbling;

  model Plain
    extends Tumbling;
    Forces.FunctionBushing rubber(redeclare function force = plain, redeclare function torque = plainTorque);
  equation
    connect(body.frame_a, rubber.frame_a);
    connect(rubber.frame_b, other.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Plain;

  model PlainBuiltIn
    extends Tumbling;
    Forces.Bushing rubber(c = {30, 40, 50}, d = {1, 2, 3}, c_angular = {3, 4, 5}, d_angular = {0.1, 0.2, 0.3});
  equation
    connect(body.frame_a, rubber.frame_a);
    connect(rubber.frame_b, other.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end PlainBuiltIn;
end OwnFunctions;
