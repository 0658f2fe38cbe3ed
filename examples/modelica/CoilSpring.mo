model CoilSpring "A coil spring of rigid pieces joined by springs and dampers, whose coils may meet, between two caps: 200 N for 0.01 s (plot guide.s; Hofmann et al. 2014, section 4.3)"
  // rattleback simulate CoilSpring.mo; rattleback view CoilSpring_res.mat
  import Rattleback.*;
  constant Real pi = 3.14159265358979;
  parameter Integer coils = 6;
  constant Integer perCoil = 8 "Pieces";
  parameter Units.Length diameter = 0.03 "Mean, of the coils";
  parameter Units.Length wire = 0.003;
  parameter Units.Length pitch = 0.008;
  parameter Units.Mass capMass = 0.93;
  parameter Units.Force push = 200;
  parameter Units.Time until = 0.01;
  parameter Units.TranslationalDampingConstant damping = 0 "Of the guide";
  final parameter Integer n = coils*perCoil;

  function helix "k pieces from its lower end"
    input Real k, diameter, pitch;
    output Real r[3];
  algorithm
    r := {0.5*diameter*cos(2*pi*k/perCoil), 0.5*diameter*sin(2*pi*k/perCoil), pitch*k/perCoil};
  end helix;

  function axes "Columns: x along the wire, y outwards as far as that allows"
    input Real tangent[3], at[3];
    output Real R[3, 3];
  protected
    Real x[3], z[3];
  algorithm
    x := tangent/sqrt(tangent*tangent);
    z := cross(x, {at[1], at[2], 0});
    z := z/sqrt(z*z);
    R := transpose({x, cross(z, x), z});
  end axes;

  function place "Of piece k between its ends, or of the joint before it"
    input Real k, diameter, pitch;
    input Boolean joint;
    output Real r[3], R[3, 3];
  protected
    Real a[3], b[3];
  algorithm
    a := helix(if joint then k - 0.5 else k, diameter, pitch);
    b := helix(if joint then k + 0.5 else k + 1, diameter, pitch);
    r := if joint then helix(k, diameter, pitch) else 0.5*(a + b);
    R := axes(b - a, r);
  end place;

  function turned "Angles about x, y, z, one after the other, of a frame whose axes are the columns"
    input Real R[3, 3];
    output Real angles[3];
  algorithm
    angles := {atan2(-R[2, 3], R[3, 3]), atan2(R[1, 3], sqrt(R[2, 3]^2 + R[3, 3]^2)), atan2(-R[1, 2], R[1, 1])};
  end turned;

  function middle "Of piece k in the world"
    input Real k, diameter, pitch;
    output Real r[3];
  algorithm
    r := place(k, diameter, pitch, false);
  end middle;

  function directed "Angles of piece k in the world"
    input Real k, diameter, pitch;
    output Real angles[3];
  protected
    Real r[3], R[3, 3];
  algorithm
    (r, R) := place(k, diameter, pitch, false);
    angles := turned(R);
  end directed;

  function endOf "Where the joint before piece k is in piece p"
    input Real p, k, diameter, pitch;
    output Real r[3];
  protected
    Real at[3], middle[3], R[3, 3];
  algorithm
    (middle, R) := place(p, diameter, pitch, false);
    at := place(k, diameter, pitch, true);
    r := transpose(R)*(at - middle);
  end endOf;

  function endTurned "How the joint before piece k is turned in piece p"
    input Real p, k, diameter, pitch;
    output Real angles[3];
  protected
    Real r[3], R[3, 3], at[3], J[3, 3];
  algorithm
    (r, R) := place(p, diameter, pitch, false);
    (at, J) := place(k, diameter, pitch, true);
    angles := turned(transpose(R)*J);
  end endTurned;

  // The wire of one piece: tension, shear, torsion and bending, with damping in proportion.
  final parameter Real E = 2e11, G = E/2.6, A = pi*wire^2/4, I = pi*wire^4/64, L = sqrt((pi*diameter)^2 + pitch^2)/perCoil, beta = 2e-5;
  final parameter Real c[3] = {E*A, 0.9*G*A, 0.9*G*A}/L, c_angular[3] = {2*G*I, E*I, E*I}/L;
  final parameter Real chord = sqrt((diameter*sin(pi/perCoil))^2 + (pitch/perCoil)^2) "Length of a piece";

  inner World world(g = 0);
  Parts.Solid piece[n](each shape = Shapes.Capsule(wire, chord, axis = 1), fixed = {i == 1 for i in 1:n},
    r = {middle(i - 1, diameter, pitch) for i in 1:n}, angles = {directed(i - 1, diameter, pitch) for i in 1:n});
  Parts.FixedRotation upper[n - 1](r = {endOf(i - 1, i, diameter, pitch) for i in 1:n - 1}, angles = {endTurned(i - 1, i, diameter, pitch) for i in 1:n - 1});
  Parts.FixedRotation lower[n - 1](r = {endOf(i, i, diameter, pitch) for i in 1:n - 1}, angles = {endTurned(i, i, diameter, pitch) for i in 1:n - 1});
  Forces.Bushing joint[n - 1](each c = c, each d = beta*c, each c_angular = c_angular, each d_angular = beta*c_angular, each largeAngles = true);
  // Pieces that follow each other overlap where they are joined.
  Materials.Pair next[n - 1](a = {"piece[" + String(i) + "]" for i in 1:n - 1}, b = {"piece[" + String(i + 1) + "]" for i in 1:n - 1}, each response = Types.Response.none);
  Materials.Pair second[n - 2](a = {"piece[" + String(i) + "]" for i in 1:n - 2}, b = {"piece[" + String(i + 2) + "]" for i in 1:n - 2}, each response = Types.Response.none);

  Parts.Fixed top(r = {0, 0, coils*pitch});
  Joints.Prismatic guide(n = {0, 0, 1}, canCollide = true);
  Parts.Solid cap(shape = Shapes.Cylinder(0.04, 0.01), mass = capMass, collidable = false);
  Parts.FixedRotation held(r = middle(n - 1, diameter, pitch) - {0, 0, coils*pitch}, angles = directed(n - 1, diameter, pitch));
  Forces.WorldForce hand;
  Forces.Damper brake(d = damping);
equation
  connect(top.frame_b, guide.frame_a);
  connect(guide.frame_b, cap.frame_a);
  connect(cap.frame_a, held.frame_a);
  connect(held.frame_b, piece[n].frame_a);
  connect(cap.frame_a, hand.frame_b);
  connect(brake.frame_a, world.frame_b);
  connect(brake.frame_b, cap.frame_a);
  hand.force = {0, 0, if time < until then -push else 0};
  for i in 1:n - 1 loop
    connect(piece[i].frame_a, upper[i].frame_a);
    connect(piece[i + 1].frame_a, lower[i].frame_a);
    connect(upper[i].frame_b, joint[i].frame_a);
    connect(lower[i].frame_b, joint[i].frame_b);
  end for;
  annotation(experiment(StopTime = 0.08, Interval = 0.001, Tolerance = 1e-5));
end CoilSpring;
