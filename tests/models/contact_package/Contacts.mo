package Contacts "Models of equations that touch by RattlebackContact (tests/unit/api/test_contact_package.c)"
  import Modelica.Mechanics.MultiBody.Interfaces.*;

  model Fixed "A frame that does not move"
    parameter Real r[3] = zeros(3);
    Frame_b frame_b;
  equation
    Connections.root(frame_b.R);
    frame_b.r_0 = r;
    frame_b.R.T = identity(3);
    frame_b.R.w = zeros(3);
  end Fixed;

  model Free "A rigid body about its centre of mass"
    parameter Real m = 1;
    parameter Real I[3] = {1, 1, 1};
    parameter Real g[3] = {0, 0, -9.81};
    parameter Real start[3] = zeros(3), startSpeed[3] = zeros(3), startQ[4] = {1, 0, 0, 0}, startW[3] = zeros(3);
    Frame_b frame;
    Real r[3](start = start, each fixed = true);
    Real v[3](start = startSpeed, each fixed = true);
    Real Q[4](start = startQ, each fixed = true) "Scalar part first";
    Real w[3](start = startW, each fixed = true) "In the axes of the body";
  protected
    Real q[4] = Q/sqrt(Q*Q);
  equation
    Connections.root(frame.R);
    frame.r_0 = r;
    frame.R.w = w;
    frame.R.T = 2*matrix(q[2:4])*transpose(matrix(q[2:4])) - 2*q[1]*skew(q[2:4]) + (2*q[1]^2 - 1)*identity(3);
    der(r) = v;
    der(Q) = 0.5*cat(1, {-q[2:4]*w}, q[1]*w + cross(q[2:4], w));
    m*der(v) = m*g + transpose(frame.R.T)*frame.f;
    {I[k]*der(w[k]) for k in 1:3} = frame.t - cross(w, {I[k]*w[k] for k in 1:3});
  end Free;

  model Ball "Of solid steel"
    parameter Real radius = 0.05;
    extends Free(m = 7700*4/3*3.14159265358979324*radius^3, I = fill(2/5*m*radius^2, 3));
  end Ball;

  model Drop "A ball that spins falls on a plate and bounces"
    inner RattlebackContact.CollisionWorld collisionWorld(bodies = 2);
    Ball ball(start = {0, 0, 0.3}, startSpeed = {0.3, 0, 0}, startW = {0, -20, 3});
    Fixed ground;
    RattlebackContact.Sphere shape(id = 1, diameter = 0.1, m = ball.m);
    RattlebackContact.Box plate(id = 2, lengths = {2, 2, 0.1}, r_shape = {0, 0, -0.05}, fixed = true);
  equation
    connect(ball.frame, shape.frame_a);
    connect(ground.frame_b, plate.frame_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Drop;

  model Pool "A cue ball meets a triangle of ten; two cushions are about the table"
    inner RattlebackContact.CollisionWorld collisionWorld(bodies = 13, animation = false);
    Ball ball[11](each radius = 0.03, each g = zeros(3), each startW = zeros(3), start = {{0.2, 0, 0}, {0.253, -0.0305, 0}, {0.253, 0.0305, 0}, {0.306, -0.061, 0}, {0.306, 0, 0}, {0.306, 0.061, 0}, {0.359, -0.0915, 0}, {0.359, -0.0305, 0}, {0.359, 0.0305, 0}, {0.359, 0.0915, 0}, {-0.3, 0.01, 0}},
      startSpeed = cat(1, zeros(10, 3), {{4, 0, 0}}));
    Fixed table;
    RattlebackContact.Sphere shape[11](id = 1:11, each diameter = 0.06, m = ball.m);
    RattlebackContact.Box right(id = 12, lengths = {0.1, 2, 0.1}, r_shape = {0.55, 0, 0}, fixed = true), back(id = 13, lengths = {2, 0.1, 0.1}, r_shape = {0, 0.3, 0}, fixed = true);
  equation
    connect(ball.frame, shape.frame_a);
    connect(table.frame_b, right.frame_a);
    connect(table.frame_b, back.frame_a);
    annotation(experiment(StopTime = 0.3, Tolerance = 1e-11));
  end Pool;

  model Stack "Three boxes on a half-space, one of them pushed"
    parameter Real m = 0.512, I[3] = fill(m/6*0.0064, 3);
    inner RattlebackContact.CollisionWorld collisionWorld(bodies = 4, laws = {RattlebackContact.Law(friction = RattlebackContact.Types.Friction.Sliding, v_small = 0.01), RattlebackContact.Law(a = 1, b = 2, mu_k = 0.1)});
    Free box[3](each m = m, each I = I, start = {{0, 0, 0.04}, {0.003, 0, 0.121}, {0, 0.004, 0.202}}, startSpeed = {zeros(3), {0.3, 0, 0}, zeros(3)});
    Fixed ground;
    RattlebackContact.Box shape[3](id = 1:3, each lengths = {0.08, 0.08, 0.08}, each m = m, each material = "DryWood");
    RattlebackContact.HalfSpace floor(id = 4, material = "DryWood");
  equation
    connect(box.frame, shape.frame_a);
    connect(ground.frame_b, floor.frame_a);
    annotation(experiment(StopTime = 0.3, Tolerance = 1e-9));
  end Stack;

  model Rings "Two rings fly through each other's hole and collide"
    parameter String fileName = "contact_package_ring.stl";
    parameter Real m = 1;
    inner RattlebackContact.CollisionWorld collisionWorld(bodies = 2, laws = {RattlebackContact.Law(restitution = 0.7, modulus = 1e8, mu_k = 0.2, mu_s = 0.2)});
    Free ring[2](each m = m, each I = {0.0025602531009, 0.0025602531009, 0.00500928398589}, each g = zeros(3), start = {zeros(3), {0.07, 0, 0.004}}, startQ = {{1, 0, 0, 0}, {0.8, 0.6, 0, 0}}, startSpeed = {zeros(3), {1, 0.2, 0}});
    RattlebackContact.Mesh shape[2](id = 1:2, each fileName = fileName, each contact = RattlebackContact.Types.MeshContact.Surface, each m = m);
  equation
    connect(ring.frame, shape.frame_a);
    annotation(experiment(StopTime = 0.1, Tolerance = 1e-9));
  end Rings;
end Contacts;
