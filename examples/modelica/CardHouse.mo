model CardHouse "Stories of two leaning pairs of cards with a roof over both (plot roof[3].r_0[3]). The lowest story needs friction of (w/2 + P)/(w + P)*(tan(lean) - thickness/height), w the weight of a card and P what it carries: 0.156 with three stories; try mu = 0.13"
  // rattleback simulate CardHouse.mo; rattleback view CardHouse_res.mat
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  parameter Integer stories = 3;
  parameter Units.Angle lean = 0.2 "Of the cards, from the upright";
  parameter Real mu = 0.4 "Friction of cards and floor";
  parameter Units.Length height = 0.088, width = 0.063, thickness = 0.002 "Of a card";
  final parameter Units.Length top = height*cos(lean) + thickness*sin(lean) "Of a leaning card over its foot";
  final parameter Units.Length off = 0.5*(height*sin(lean) + thickness*cos(lean)) "Of its middle from the ridge";
  final parameter Units.Length ridge = 2*off + 0.001 "Of a pair from the middle of the house";
  // Not quite in line, as cards are laid by hand: sides in one plane are the dearest to tell apart.
  final parameter Units.Position y[5*stories] = {1e-4*(mod(7*i, 11) - 5) for i in 1:5*stories};
  Materials.Solid card(name = "Card", density = 900);
  Materials.SurfacePair edges(a = "Card", b = "Card", form = Types.VolumeForm.potential, modulus = 1e9, length = 0.01, restitution = 0.3, slidingFriction = mu);
  Parts.Workpiece floor(mesh = Solids.translate(Solids.Box({0.5, 0.2, 0.02}), {-0.25, -0.1, -0.01}), material = "Card", r = {0, 0, -0.01}, fixed = true);
  // Of each story the left pair, then the right one, of a pair the left card first.
  Parts.Workpiece leaning[4*stories](each mesh = Solids.translate(Solids.Box({thickness, width, height}), -0.5*{thickness, width, height}), each material = "Card",
    r = {{(if mod(i, 4) < 2 then -ridge else ridge) + (if mod(i, 2) == 0 then -off else off), y[i + 1], div(i, 4)*(top + thickness) + 0.5*top} for i in 0:4*stories - 1},
    angles = {{0, if mod(i, 2) == 0 then lean else -lean, 0} for i in 0:4*stories - 1});
  Parts.Workpiece roof[stories](each mesh = Solids.translate(Solids.Box({height, width, thickness}), -0.5*{height, width, thickness}), each material = "Card",
    r = {{0, y[4*stories + i], i*(top + thickness) - 0.5*thickness} for i in 1:stories});
  annotation(experiment(StopTime = 5, Tolerance = 1e-5));
end CardHouse;
