package Digging "A bucket digs in a pile of Belgian blocks (Elmqvist et al. 2015, section 8.3)"
  // rattleback simulate Digging.mo Digging.Bucket --report o.html shows the pile; plot load.force[1], load.force[3].
  import Rattleback.*;

  function stone "A block of granite whose corners are worn off by a ball"
    input Units.Length size[3];
    input Real wear "Radius of the ball over the diagonal of the block; 0.5: nothing is worn off";
    input Integer segments "Of the ball";
    output Solids.TriangleMesh mesh;
  algorithm
    mesh := Solids.translate(Solids.Box(size), -0.5*size);
    if wear < 0.5 then
      mesh := Solids.intersection(mesh, Solids.Sphere(wear*sqrt(size*size), segments));
    end if;
  end stone;

  function shell "Floor with a sharp lip, round back and sides: what is inside the outer profile and not inside the inner one. The lip is at the origin, the floor at z = 0"
    input Units.Length width;
    input Integer segments "Of the round back";
    output Solids.TriangleMesh mesh;
  protected
    Units.Length t = 0.012 "Thickness";
    Solids.TriangleMesh outer_, inner_;
  algorithm
    outer_ := Solids.extrude(Solids.join(Solids.Polygon({{0, 0}, {-0.5, 0.35}}), Solids.Arc(0.15, pi, 1.5*pi, {-0.35, 0.15}, segments)), width);
    inner_ := Solids.extrude(Solids.join(Solids.Polygon({{-0.06, t}, {0, 0.002}, {0.1, 0.002}, {0.1, 0.6}, {t - 0.5, 0.6}}),
      Solids.Arc(0.15 - t, pi, 1.5*pi, {-0.35, 0.15}, segments)), width - 2*t);
    mesh := Solids.translate(Solids.rotate(outer_ - Solids.translate(inner_, {0, 0, t}), {pi/2, 0, 0}), {0, 0.5*width, 0});
  end shell;

  function places "Of the stones: rows one behind the other, one row less in each layer"
    input Integer rows, wide, layers;
    input Units.Length size[3];
    output Units.Position r[wide*(rows*layers - div(layers*(layers - 1), 2)), 3];
  protected
    Integer n = 0;
  algorithm
    for k in 0:layers - 1 loop
      for i in 1:rows - k loop
        for j in 1:wide loop
          n := n + 1;
          r[n, :] := {0.02 + (i - 0.5 + 0.5*k)*(size[1] + 0.005), (j - 0.5 - 0.5*wide)*(size[2] + 0.005), (k + 0.5)*(size[3] + 1e-3)};
        end for;
      end for;
    end for;
  end places;

  model Bucket "A bucket is driven into a pile at constant speed, and pushes it over the ground (plot load.force[1], load.force[3]: what holds it back, and what it carries)"
    inner World world(g = 9.81, n = {0, 0, -1});
    parameter Integer rows = 4, wide = 2, layers = 2 "Of the pile";
    parameter Integer fine = 1 "Fineness of the meshes: 2 has twice as many segments";
    parameter Units.Velocity speed = 0.12;
    parameter Units.Length size[3] = {0.16, 0.14, 0.12} "Of a stone";
    parameter Real wear = 0.46 "Of the stones: 0.5 for sharp blocks";
    final parameter Integer count = wide*(rows*layers - div(layers*(layers - 1), 2));
    final parameter Units.Length width = wide*(size[2] + 0.005) + 0.08;
    Materials.Solid granite(name = "Granite", density = 2700);
    Materials.SurfacePair rough(a = "Granite", b = "Granite", modulus = 1e7, restitution = 0.2, slidingFriction = 0.6, slipSpeed = 0.01, sticks = false);
    Materials.SurfacePair smooth(a = "Granite", b = "Steel", modulus = 1e7, restitution = 0.2, slidingFriction = 0.2, slipSpeed = 0.01, sticks = false);
    Parts.Workpiece ground(mesh = Solids.Box({3, 2, 0.1}), material = "Granite", r = {-1, -1, -0.1}, fixed = true);
    Parts.Workpiece cobble[count](each mesh = stone(size, wear, 12*fine), r = places(rows, wide, layers, size), each material = "Granite");
    Parts.Fixed start(r = {0, 0, 0.002});
    Joints.Prismatic drive(n = {1, 0, 0}, v(start = speed), d = 1e6, v_rest = speed, canCollide = true) "A motor that holds its speed";
    Parts.Workpiece bucket(mesh = shell(width, 4*fine), material = "Steel");
    Sensors.Contact load(a = "bucket");
  equation
    connect(start.frame_b, drive.frame_a);
    connect(drive.frame_b, bucket.frame_a);
    annotation(experiment(StopTime = 4, Tolerance = 1e-4));
  end Bucket;

  model FineBucket "The same with finer meshes: the mean force is that of the coarse ones within 5 %"
    extends Bucket(fine = 2);
    annotation(experiment(StopTime = 4, Tolerance = 1e-4));
  end FineBucket;

  model TwoStones "Two sharp blocks, one behind the other: once they slide, friction on the ground is 0.6*(weight + load.force[3])"
    extends Bucket(rows = 2, wide = 1, layers = 1, wear = 0.5);
    annotation(experiment(StopTime = 1, Tolerance = 1e-4));
  end TwoStones;
end Digging;
