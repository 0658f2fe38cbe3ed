package Faces "Bodies that touch with faces, edges and corners"
  import Rattleback.*;

  model Stack "Ten steel cubes let go 1 mm above each other: they bounce, and stand (plot box[1].r_0[3], box[10].r_0[3])"
    inner World world(g = 9.81, n = {0, 0, -1});
    parameter Units.Length side = 0.1, gap = 1e-3;
    Parts.Solid ground(shape = Shapes.Box(4, 4, 0.2), r = {0, 0, -0.1}, fixed = true);
    Parts.Solid box[10](each shape = Shapes.Box(side, side, side), r = {{0, 0, (i - 0.5)*side + i*gap} for i in 1:10});
    annotation(experiment(StopTime = 60, Tolerance = 1e-5, Interval = 0.05));
  end Stack;

  model Dominoes "A row of stones; the first leans and knocks over the next, and so on (plot stone[1].r_0[3], stone[n].r_0[3])"
    inner World world(g = 9.81, n = {0, 0, -1});
    parameter Integer n = 6;
    parameter Units.Length thick = 0.008, wide = 0.024, high = 0.048, pitch = 0.024;
    parameter Units.Angle lean = 0.3;
    parameter Units.Length off = 0.5*high*sin(lean) - 0.5*thick*cos(lean) + 0.5*thick, up = 0.5*high*cos(lean) + 0.5*thick*sin(lean) "Of the first one's middle";
    Materials.Solid wood(name = "Stone", density = 900, youngsModulus = 1e8, poissonsRatio = 0.3);
    Materials.Pair rubs(a = "Stone", b = "Stone", restitution = 0.3, slidingFriction = 0.3);
    Parts.Solid floor(shape = Shapes.Box(1, 0.2, 0.02), material = "Stone", r = {0.1, 0, -0.01}, fixed = true);
    Parts.Solid stone[n](each shape = Shapes.Box(thick, wide, high), each material = "Stone",
      r = {if i == 1 then {off, 0, up} else {(i - 1)*pitch, 0, 0.5*high} for i in 1:n}, angles = {{0, if i == 1 then lean else 0, 0} for i in 1:n});
    annotation(experiment(StopTime = 0.6, Tolerance = 1e-5, Interval = 0.002));
  end Dominoes;

  model SettlingDisc "A disc that was spun on its edge rolls on its rim, faster and faster as it sinks, until it lies flat (plot disc.r_0[3], disc.w_0[1])"
    inner World world(g = 9.81, n = {0, 0, -1});
    parameter Units.Length diameter = 0.075, thick = 0.012;
    parameter Units.Angle lean = 0.3 "Of its face, from the table, when it is let go";
    // The disc rolls without slip around a circle of its rim: the point that touches runs around with the rate 2*sqrt(g/(R*sin(lean))) of a thin disc.
    parameter Units.AngularVelocity around = 2*sqrt(9.81/(0.5*diameter*sin(lean)));
    Materials.Solid metal(name = "Metal", density = 7800, youngsModulus = 1e9, poissonsRatio = 0.3);
    Materials.Pair pair(a = "Metal", b = "Metal", restitution = 0.5, slidingFriction = 0.4);
    Parts.Solid table(shape = Shapes.Box(1, 1, 0.05), material = "Metal", r = {0, 0, -0.025}, fixed = true);
    Parts.Solid disc(shape = Shapes.Cylinder(diameter, thick), material = "Metal", angles = {lean, 0, 0},
      r = {0, 0, 0.5*diameter*sin(lean) + 0.5*thick*cos(lean)}, w = around*sin(lean)*{0, cos(lean), sin(lean)});
    annotation(experiment(StopTime = 3.2, Tolerance = 1e-6, Interval = 0.002));
  end SettlingDisc;
end Faces;
