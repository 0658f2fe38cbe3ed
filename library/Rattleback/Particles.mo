within Rattleback;
package Particles "Granular matter: very many spheres that touch each other and the parts of the model"
  import Rattleback.Units.*;

  partial model Filling "Spheres of one material; all fillings of a world are one cloud"
    outer World world;
    parameter Integer n(min = 0) = 1000 "Number of particles";
    parameter Length radius = 0.005 "Mean radius";
    parameter Real spread(min = 0) = 0 "Radii are spread evenly over radius*(1 -+ spread)";
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
    parameter Time step = 0 "Of the cloud; 0: from the shortest contact";
    parameter Velocity maxSpeed = 0 "That is expected; 0: from the height of the scene";
    annotation(__Rattleback(component = "Multibody", role = "particles", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-80, 0}, {-20, -60}}, fillPattern = FillPattern.Sphere), Ellipse(extent = {{-20, 0}, {40, -60}}, fillPattern = FillPattern.Sphere), Ellipse(extent = {{-50, 52}, {10, -8}}, fillPattern = FillPattern.Sphere), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Filling;

  model Grid "Row by row, from the lower corner of the box"
    extends Filling;
    parameter Integer kind = 1;
  end Grid;

  model Random "Anywhere in the box where nothing is; up to a third of it can be filled"
    extends Filling;
    parameter Integer kind = 2;
  end Random;

  model Rain "They appear one after another, anywhere in the box where nothing is then"
    extends Filling;
    parameter Integer kind = 3;
    parameter Real rate(final unit = "1/s", min = 0) = 100 "How many per second";
    parameter Time startTime = 0 "When the first one falls";
  end Rain;
end Particles;
