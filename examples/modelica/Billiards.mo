model BilliardsFour "A rack of three"
  extends Billiards(rows = 2);
  annotation(experiment(StopTime = 2.5, Tolerance = 1e-7));
end BilliardsFour;

model SymmetricBreak "The cue ball hits the rack on its axis"
  extends Billiards(cue(r = {-0.8, 0, 0.03}, v = {3, 0, 0}));
  annotation(experiment(StopTime = 1.5, Tolerance = 1e-9));
end SymmetricBreak;

model BreakShot "The cue ball is shot at the rack at an angle: sweep it, and see where the balls are after 5 s"
  parameter Real angle(unit = "rad") = 0.05 "Of the shot";
  extends Billiards(cue(r = {-0.8, 0, 0.03}, v = {3*cos(angle), 3*sin(angle), 0}));
  annotation(experiment(StopTime = 5, Tolerance = 1e-7));
end BreakShot;

model Billiards "The break: a cue ball hits a rack of fifteen"
  import Rattleback.*;
  parameter Integer rows = 5 "Of the rack";
  parameter Real d = 0.06 "Diameter of a ball";
  parameter Real gap = 1e-4 "Between the balls of the rack";
  final parameter Real Lx = 2.24, Ly = 1.12;
  inner World world(g = 9.81, n = {0, 0, -1}, contactDamping = World.ContactDamping.Flores, publishedLaws = true);
  Parts.Solid table(shape = Shapes.Box(Lx, Ly, 0.05), material = "BilliardTable", r = {0, 0, -0.025}, fixed = true);
  Parts.Solid cushion[4](
    shape = {Shapes.Box(0.075, Ly, 0.014), Shapes.Box(0.075, Ly, 0.014), Shapes.Box(Lx, 0.075, 0.014), Shapes.Box(Lx, 0.075, 0.014)},
    each material = "BilliardCushion", each fixed = true,
    r = {{1.0825, 0, 0.049}, {-1.0825, 0, 0.049}, {0, 0.5225, 0.049}, {0, -0.5225, 0.049}});
  Parts.Solid cue(shape = Shapes.Sphere(d), material = "BilliardBall", r = {-0.8, -0.1, 0.03}, v = {3, 0.1, 0});
  Parts.Solid ball[div(rows*(rows + 1), 2)](each shape = Shapes.Sphere(d), each material = "BilliardBall",
    r = {{Lx/6 + (row(i) - 1)*(sqrt(3)/2*d + gap), (0.5*(row(i) - 1) - (i - 1 - div(row(i)*(row(i) - 1), 2)))*(d + gap), d/2}
         for i in 1:div(rows*(rows + 1), 2)});
  function row "Row of ball i"
    input Integer i;
    output Integer row;
  algorithm
    row := integer(ceil((sqrt(8*i + 1) - 1)/2 - 1e-9));
  end row;
  annotation(experiment(StopTime = 5, Tolerance = 1e-7));
end Billiards;
