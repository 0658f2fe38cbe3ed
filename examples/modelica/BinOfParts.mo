model BinOfParts "Boxes, rollers and balls of soft plastic are poured into a bin (plot box[1].r_0[3])"
  // rattleback simulate BinOfParts.mo; rattleback view BinOfParts_res.mat
  // More than eight of them that touch are a crowd: each contact takes steps of its own (guide: a bin of parts).
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  parameter Integer boxes = 9 "In the lowest layer";
  parameter Integer rollers = 9 "In the next one";
  parameter Integer balls = 9 "In the highest one";
  parameter Units.Length size = 0.05 "Of a part";
  parameter Real e = 0.4 "Restitution";
  parameter Real mu = 0.4 "Sliding friction";
  final parameter Units.Length pitch = 1.3*size, width = 3.3*pitch "Of the bin";
  Materials.Solid plastic(name = "Plastic", density = 1400, youngsModulus = 1e8, poissonsRatio = 0.35);
  Materials.Pair pair(a = "Plastic", b = "Plastic", restitution = e, slidingFriction = mu, rollingResistance = 0.001);
  Parts.Solid floor(shape = Shapes.Box(2*width, 2*width, size), material = "Plastic", r = {0, 0, -0.5*size}, fixed = true);
  Parts.Solid wall[4](each material = "Plastic", each fixed = true, each shape = Shapes.Box(width, 0.2*size, 2*size),
    r = {{0.5*(width + 0.2*size)*cos(i*1.5707963267948966), 0.5*(width + 0.2*size)*sin(i*1.5707963267948966), size} for i in 0:3},
    angles = {{0, 0, (i + 1)*1.5707963267948966} for i in 0:3});
  Parts.Solid box[boxes](each material = "Plastic", each shape = Shapes.Box(size, 0.8*size, 0.6*size),
    r = {{pitch*(mod(i, 3) - 1), pitch*(div(i, 3) - 1), 1.0*size} for i in 0:boxes - 1},
    angles = {{0.3*sin(i), 0.2*cos(3*i), 0.5*i} for i in 0:boxes - 1});
  Parts.Solid roller[rollers](each material = "Plastic", each shape = Shapes.Cylinder(0.6*size, size),
    r = {{pitch*(mod(i, 3) - 1), pitch*(div(i, 3) - 1), 2.3*size} for i in 0:rollers - 1},
    angles = {{1.2 + 0.3*sin(2*i), 0.2*cos(i), 0.7*i} for i in 0:rollers - 1});
  Parts.Solid ball[balls](each material = "Plastic", each shape = Shapes.Sphere(0.8*size),
    r = {{pitch*(mod(i, 3) - 1) + 0.004*sin(i), pitch*(div(i, 3) - 1) + 0.004*cos(i), 3.6*size} for i in 0:balls - 1});
  annotation(experiment(StopTime = 0.4, Tolerance = 1e-4));
end BinOfParts;
