package Digging "A bucket digs in a pile of Belgian blocks (Elmqvist et al. 2015, section 8.3)"
  // rattleback simulate Digging.mo Digging.Bucket --report o.html shows the pile; plot load.force[1], load.force[3].
  import Rattleback.*;

  function stone "A block whose edges and corners are round: the convex hull of points on it"
    input Units.Length size[3];
    input Units.Length radius "Of edges and corners";
    input Integer segments "Of a quarter of a circle";
    output Solids.TriangleMesh mesh;
  protected
    Real points[4*(segments + 1)*(segments + 2), 3];
    Real u[3];
    Integer n = 0;
  algorithm
    for i in 0:segments loop
      for j in 0:segments - i loop
        u := {i, j, segments - i - j};
        u := 0.5*size - fill(radius, 3) + radius*u/sqrt(u*u);
        for corner in 0:7 loop
          n := n + 1;
          points[n, :] := {if mod(corner, 2) == 0 then u[1] else -u[1], if mod(div(corner, 2), 2) == 0 then u[2] else -u[2], if corner < 4 then u[3] else -u[3]};
        end for;
      end for;
    end for;
    mesh := Solids.Hull(points);
  end stone;

  function volume "Of a block whose edges and corners are round"
    input Units.Length size[3];
    input Units.Length radius;
    output Real v(unit = "m3");
  protected
    Units.Length a[3] = size - fill(2*radius, 3) "Between the round edges";
  algorithm
    v := a[1]*a[2]*a[3] + 2*radius*(a[1]*a[2] + a[2]*a[3] + a[3]*a[1]) + pi*radius^2*sum(a) + 4/3*pi*radius^3;
  end volume;

  function shell "Floor that falls to a sharp lip, round back and sides: what is inside the outer profile and not inside the inner one. The lip is at the origin"
    input Units.Length width;
    input Integer segments "Of the round back";
    output Solids.TriangleMesh mesh;
  protected
    Units.Length t = 0.015 "Thickness";
    Solids.TriangleMesh outer_, inner_;
  algorithm
    outer_ := Solids.extrude(Solids.join(Solids.Polygon({{0, 0}, {0, 0.002}, {-0.4, 0.3}}), Solids.Arc(0.12, pi, 1.5*pi, {-0.28, 0.12}, segments)), width);
    inner_ := Solids.extrude(Solids.join(Solids.Polygon({{-0.12, t}, {0.01, 0.0005}, {0.1, 0.0005}, {0.1, 0.6}, {t - 0.4, 0.6}}),
      Solids.Arc(0.12 - t, pi, 1.5*pi, {-0.28, 0.12}, segments)), width - 2*t);
    mesh := Solids.rotate(outer_ - Solids.translate(inner_, {0, 0, t}), {pi/2, 0, 0});
    mesh := Solids.rotate(Solids.translate(mesh, {0, 0.5*width, 0}), {0, 0.1, 0});
  end shell;

  function scatter "Numbers between -1 and 1 that look random: a pile for each seed"
    input Integer seed, n;
    output Real x[n, 6];
  protected
    Real s = 1 + 7919*seed;
  algorithm
    for i in 1:n loop
      for k in 1:6 loop
        for again in 1:3 loop
          s := mod(16807*s, 2147483647);
        end for;
        x[i, k] := 2*s/2147483647 - 1;
      end for;
    end for;
  end scatter;

  function places "Of the stones: rows one behind the other, one row less in each layer; moved a little by x"
    input Integer rows, wide, layers;
    input Units.Length pitch[3];
    input Real x[:, 6];
    output Units.Position r[size(x, 1), 3];
  protected
    Integer n = 0;
  algorithm
    for k in 0:layers - 1 loop
      for i in 1:rows - k loop
        for j in 1:wide loop
          n := n + 1;
          r[n, :] := {(i - 0.5 + 0.5*k)*pitch[1], (j - 0.5 - 0.5*wide)*pitch[2], (k + 0.5)*pitch[3]} + 0.003*x[n, 1:3];
        end for;
      end for;
    end for;
  end places;

  model Bucket "Blocks fall into a pile, and a bucket is driven under it at constant speed (plot load.force[1], load.force[3]: what holds it back, and what it carries)"
    inner World world(g = 9.81, n = {0, 0, -1});
    parameter Integer rows = 4, wide = 2, layers = 2 "Of the pile";
    parameter Integer pile = 1 "Another number is another pile";
    parameter Integer fine = 1 "Fineness of the meshes: 2 has twice as many segments";
    parameter Units.Length longest = 1 "Sides of triangles that are longer are halved: the same solids, and more triangles";
    parameter Units.Velocity speed = 0.15;
    parameter Units.Length height = 0.001 "Of the lip above the ground";
    parameter Units.Length size[3] = {0.12, 0.1, 0.09} "Of a stone";
    parameter Units.Length radius = 0.015 "Of its edges";
    parameter Units.Angle tilt = 0.25 "Of the stones at the start, at most";
    parameter Units.Length width = 0.34 "Of the bucket";
    final parameter Integer count = wide*(rows*layers - div(layers*(layers - 1), 2));
    final parameter Real x[count, 6] = scatter(pile, count);
    Materials.Solid granite(name = "Granite", density = 2700);
    Materials.SurfacePair rough(a = "Granite", b = "Granite", modulus = 1e7, length = 0.08, restitution = 0.2, slidingFriction = 0.5, slipSpeed = 0.01, sticks = false);
    Materials.SurfacePair smooth(a = "Granite", b = "Steel", modulus = 1e7, length = 0.08, restitution = 0.2, slidingFriction = 0.2, slipSpeed = 0.01, sticks = false);
    Parts.Workpiece ground(mesh = Solids.Box({3, 2, 0.2}), material = "Granite", r = {-1, -1, -0.2}, fixed = true);
    Parts.Workpiece cobble[count](each mesh = Solids.refine(stone(size, radius, fine), longest), r = places(rows, wide, layers, {0.15, 0.14, 0.13}, x), angles = tilt*x[:, 4:6],
      each mass = 2700*volume(size, radius), each material = "Granite");
    Parts.Fixed start(r = {-0.05, 0, height});
    Joints.Prismatic drive(n = {1, 0, 0}, v(start = speed), d = 1e5, v_rest = speed) "A motor that holds its speed: 1e-3 m/s slower under 100 N";
    Parts.Workpiece bucket(mesh = Solids.refine(shell(width, 3*fine), 3*longest), material = "Steel");
    Sensors.Contact load(a = "bucket");
  equation
    connect(start.frame_b, drive.frame_a);
    connect(drive.frame_b, bucket.frame_a);
    annotation(experiment(StopTime = 4, Tolerance = 1e-4));
  end Bucket;

  model TwoStones "Two blocks, one behind the other, before a bucket that is held too high to dig: once they slide, friction on the ground is 0.5*(weight + load.force[3])"
    extends Bucket(rows = 2, wide = 1, layers = 1, height = 0.03, tilt = 0, fine = 4);
    annotation(experiment(StopTime = 2, Tolerance = 1e-4));
  end TwoStones;
end Digging;
