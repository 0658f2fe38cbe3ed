within Rattleback;
package Particles "Granular matter: very many spheres, or clumps of them, that touch each other and the parts of the model"
  import Rattleback.Units.*;

  record Clump "Spheres that are joined rigidly and may overlap: what a particle consists of"
    Position spheres[:, 4] = zeros(0, 4) "x, y, z and radius of each, in any frame; they must hang together. None: a particle is one sphere";
    Mass m = 0 "0: from the density, and what the spheres fill together; otherwise with r_CM and I";
    Position r_CM[3] = zeros(3) "Centre of the mass that is typed";
    Inertia I[3, 3] = zeros(3, 3) "Of the mass that is typed, about r_CM";
    Boolean aligned = false "All stand as typed at first; otherwise each is turned at random";
    annotation(Icon(graphics = {Ellipse(extent = {{-80, 40}, {0, -40}}, fillPattern = FillPattern.Sphere), Ellipse(extent = {{-30, 50}, {70, -50}}, fillPattern = FillPattern.Sphere)}));
  end Clump;

  record Polyhedron "A convex polyhedron as a particle: a box, or the convex hull of points"
    Length box[3] = zeros(3) "Lengths of a box; zeros: points";
    Position points[:, 3] = zeros(0, 3) "x, y, z of each, in any frame. None, and no box: particles are spheres or clumps";
    Length rounding = 0.0005 "Radius of edges: inside a box (at most a tenth of its smallest length), added to a hull";
    Boolean aligned = false "All stand as typed at first; otherwise each is turned at random";
    annotation(Icon(graphics = {Polygon(points = {{-60, -50}, {40, -60}, {70, 10}, {20, 60}, {-50, 40}, {-60, -50}}), Line(points = {{-60, -50}, {0, 0}, {40, -60}}), Line(points = {{0, 0}, {20, 60}})}));
  end Polyhedron;

  partial model Filling "Particles of one material; all fillings of a world are one cloud"
    outer World world;
    parameter Integer n(min = 0) = 1000 "Number of particles";
    parameter Length radius = 0.005 "Mean radius of spheres";
    parameter Real spread(min = 0) = 0 "Radii are spread evenly over radius*(1 -+ spread), sizes of clumps likewise";
    parameter Clump clump = Clump() "Spheres that each particle consists of; none: it is a sphere";
    parameter Polyhedron polyhedron = Polyhedron() "Or its form: then spread is 0";
    parameter Position low[3] = zeros(3) "Lower corner of the box that they are in";
    parameter Position high[3] = {0.2, 0.2, 0.2} "Upper corner";
    parameter Velocity v[3] = zeros(3) "Of all at first";
    parameter Integer seed = 0 "Same number, same particles";
    parameter String material = "" "Of the palette; empty: as follows";
    parameter Real rho(final unit = "kg/m3", min = 0) = 2500 "Density";
    parameter Real E(final unit = "Pa", min = 0) = 5e6 "Young's modulus; soft grains allow large steps";
    parameter Real nu = 0.3 "Poisson's ratio";
    parameter Real e(min = 0, max = 1) = 0.5 "Restitution among themselves";
    parameter Real mu(min = 0) = 0.5 "Sliding friction";
    parameter Real mu_r(min = 0) = 0 "Rolling resistance, times the radius";
    parameter Real mu_t(min = 0) = 0 "Friction against twisting about the normal, times the radius; also on walls";
    parameter Real w(final unit = "J/m2", min = 0) = 0 "Work of adhesion among themselves: what parting them takes per area; 0: they do not stick";
    parameter Real w_wall(final unit = "J/m2", min = 0) = w "With walls";
    parameter Time step = 0 "Of the cloud; 0: from the shortest contact";
    parameter Velocity maxSpeed = 0 "That is expected, initial velocities at least; 0: from them and the height of the scene";
    parameter Real color[3] = {-1, -1, -1} "Red, green, blue: 0 ... 255, of all particles of the world; negative: by their speed" annotation(Dialog(colorSelector = true));
    annotation(__Rattleback(component = "Multibody", role = "particles", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-80, 0}, {-20, -60}}, fillPattern = FillPattern.Sphere), Ellipse(extent = {{-20, 0}, {40, -60}}, fillPattern = FillPattern.Sphere), Ellipse(extent = {{-50, 52}, {10, -8}}, fillPattern = FillPattern.Sphere), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Filling;

  model Grid "Row by row, from the lower corner of the box"
    extends Filling;
    final parameter Integer kind = 1;
  end Grid;

  model Random "Anywhere in the box where nothing is; up to a third of it can be filled"
    extends Filling;
    final parameter Integer kind = 2;
  end Random;

  model Rain "They appear one after another, anywhere in the box where nothing is then"
    extends Filling;
    final parameter Integer kind = 3;
    parameter Real rate(final unit = "1/s", min = 0) = 100 "How many per second";
    parameter Time startTime = 0 "When the first one falls";
  end Rain;

  model File "As many as a file has rows, at the places that it tells"
    extends Filling(n = 0);
    final parameter Integer kind = 4;
    parameter String fileName "CSV, MAT or text with a matrix: x, y, z, radius [m], and the velocity [m/s] if it has seven columns. Of clumps: centre of mass, size as a multiple of what was typed, quaternion if it has 8 or 11 columns, velocity if 7 or 11";
    parameter String tableName = "places" "Name of the matrix; CSV files have none";
    parameter Integer headerLines = 0 "Of a CSV file, to be skipped";
  end File;

  model Medium "What all particles move through, and do not disturb: drag of spheres (Schiller and Naumann) and buoyancy"
    outer World world;
    parameter Real rho(final unit = "kg/m3", min = 0) = 1.2 "Density";
    parameter Real eta(final unit = "Pa.s", min = 0) = 1.8e-5 "Viscosity";
    parameter Velocity v[3] = zeros(3) "Of the medium";
    annotation(__Rattleback(component = "Multibody", role = "medium", anchor = "world"),
      Icon(graphics = {Line(points = {{-80, 20}, {-40, 40}, {0, 20}, {40, 40}, {80, 20}}), Line(points = {{-80, -20}, {-40, 0}, {0, -20}, {40, 0}, {80, -20}}), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Medium;

  model Periodic "A cell without end: particles that leave through a side come in through the opposite one, and touch each other across"
    outer World world;
    parameter Position low[3] "Lower corner of the cell";
    parameter Position high[3] "Upper corner";
    parameter Boolean x = true "Periodic along x";
    parameter Boolean y = true "Periodic along y";
    parameter Boolean z = false "Periodic along z";
    annotation(__Rattleback(component = "Multibody", role = "borders", anchor = "world"),
      Icon(graphics = {Rectangle(extent = {{-60, 60}, {60, -60}}, pattern = LinePattern.Dash), Line(points = {{-90, 0}, {-60, 0}}, arrow = {Arrow.None, Arrow.Filled}), Line(points = {{60, 0}, {90, 0}}, arrow = {Arrow.None, Arrow.Filled}), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Periodic;

  partial model Region "Where particles are looked at, or leave"
    outer World world;
    annotation(__Rattleback(component = "Multibody", role = "region", anchor = "world"),
      Icon(graphics = {Rectangle(extent = {{-80, 60}, {80, -60}}, pattern = LinePattern.Dash), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Region;

  model BoxSensor "What is in a box"
    extends Region;
    final parameter Integer kind = 1 annotation(Evaluate = true);
    parameter Position low[3] "Lower corner";
    parameter Position high[3] "Upper corner";
    Blocks.Interfaces.RealOutput count "Particles whose centres are in the box";
    Blocks.Interfaces.RealOutput mass(unit = "kg") "Of these";
    Blocks.Interfaces.RealOutput v[3](each unit = "m/s") "Mean velocity of their mass";
    Blocks.Interfaces.RealOutput filled "Their volume over that of the box";
    Blocks.Interfaces.RealOutput stress[6](each unit = "Pa") "Mean of xx, yy, zz, xy, xz, yz; pressure is positive. Let low be a little below a floor: contacts are half a depth in it";
  end BoxSensor;

  model FlowSensor "What has passed a plane"
    extends Region;
    final parameter Integer kind = 2 annotation(Evaluate = true);
    parameter Position r[3] = zeros(3) "A point of the plane";
    parameter Real n[3] = {0, 0, -1} "Which way counts as positive: perpendicular to the plane";
    parameter Time average = 0.1 "Over which the flow is averaged";
    Blocks.Interfaces.RealOutput count "Particles that have passed, less those that came back";
    Blocks.Interfaces.RealOutput mass(unit = "kg") "Of these";
    Blocks.Interfaces.RealOutput massFlow(unit = "kg/s") "Of mass, averaged";
  end FlowSensor;

  model PartSensor "What particles do to a part"
    extends Region;
    final parameter Integer kind = 4 annotation(Evaluate = true);
    parameter String part "Name of the part";
    Blocks.Interfaces.RealOutput force[3](each unit = "N") "Of all particles on it, mean since the last exchange of forces";
    Blocks.Interfaces.RealOutput contacts "Of particles with it";
    Blocks.Interfaces.RealOutput rubbed(unit = "J") "Taken by friction at its surface so far: wear is about proportional to it (Archard)";
  end PartSensor;

  model Belt "The surface of a part runs along itself, while the part stays: conveyors. It carries particles and bodies; what it measures is what particles do"
    extends PartSensor;
    parameter Velocity v_surface[3] "Of the surface, in the frame of the part; what is not along the surface does not count";
    parameter Time startTime = 0 "From then on";
    parameter Time rampTime = 0 "That it takes to get to this velocity";
    Blocks.Interfaces.RealOutput work(unit = "J") "Of the belt on the particles so far: what its drive gives";
    Blocks.Interfaces.RealOutput power(unit = "W") "Mean since the last exchange of forces";
  end Belt;

  model Sink "Particles that come into a box leave the model"
    extends Region;
    final parameter Integer kind = 3 annotation(Evaluate = true);
    parameter Position low[3] = {-1e9, -1e9, -1e9} "Lower corner";
    parameter Position high[3] = {1e9, 1e9, 1e9} "Upper corner";
    parameter Time startTime = 0 "From then on";
    Blocks.Interfaces.RealOutput count "Particles that have left";
    Blocks.Interfaces.RealOutput mass(unit = "kg") "Of these";
  end Sink;
end Particles;
