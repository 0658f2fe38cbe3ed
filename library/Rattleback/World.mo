within Rattleback;
model World "Everything in three dimensions: gravity, contact, and the frame that does not move"
  import Rattleback.Units.*;
  type GravityType = enumeration(NoGravity "None", UniformGravity "The same everywhere", PointGravity "Towards the origin");
  type ContactDamping = enumeration(Restitution "By the coefficients of restitution of the materials", Flores "Flores et al. 2011, for comparison");
  type ParticleChoice = enumeration(Auto "Cloud from 2000 spheres on", Events "As bodies, with every contact located and the error controlled", Cloud "As grains, with explicit steps and without control of the error");
  Interfaces.Frame_b frame_b "Fixed in the origin of the world";
  parameter GravityType gravityType = GravityType.UniformGravity;
  parameter Acceleration g = 9.80665 "Uniform gravity";
  parameter Real n[3] = {0, -1, 0} "Direction of uniform gravity; its length does not matter";
  parameter Acceleration gravity[3] = g*n/sqrt(n*n) "Uniform gravity as a vector: instead of g and n";
  parameter Real mu(unit = "m3/s2") = 3.986004418e14 "Point gravity: gravitational constant times the mass that attracts";
  replaceable function gravityAcceleration = Forces.standardGravity constrainedby Interfaces.partialGravityAcceleration "Redeclared: the gravity of a place, whatever gravityType is";
  parameter Boolean contact = true "Parts that are collidable collide, with each other and with grains; grains always touch each other";
  parameter Boolean showContacts = false "Where workpieces touch, the polygons of the contact, their pressure and the force of each region are in the pictures";
  parameter Boolean steadyStart = false "Bodies start at rest where forces balance: set down on a table, in a spring, on each other";
  parameter Real elasticContactReductionFactor(min = 1e-12, max = 1) = 1 "Stiffness of all contacts times this";
  parameter ContactDamping contactDamping = ContactDamping.Restitution;
  parameter Real maximumContactDamping(unit = "s/m", min = 0) = 2000 "Limit of the damping coefficient of ContactDamping.Flores";
  parameter Boolean publishedLaws = false "Friction and faces as in the literature: regularised, without twisting, and pressing at one point, where the materials choose nothing else";
  parameter Real defaultWidthFraction(min = 1e-6) = 10 "Length over width of BodyBox and BodyCylinder, unless they say it";
  parameter ParticleChoice particles = ParticleChoice.Auto "How solids are computed that are spheres, move freely and are connected to nothing; Auto: as a cloud from 2000 on, without control of the error";
  parameter String particleResults = "" "What journals keep of particles: none, or some of place, velocity, rotation, spin, force, each with a resolution if it is to be rounded, as in place:1e-5,velocity:1e-3; empty: place, in single precision. The option --particle-results comes first";
  parameter Time particleInterval = 0 "And how often; 0: in every row";
  parameter String materials = "" "File with materials that are added to those that come with us; empty: none";
protected
  parameter Position at[3] = zeros(3) "Argument of gravityAcceleration";
  parameter Acceleration field[3] = gravityAcceleration(at);
  annotation(__Rattleback(component = "Multibody", role = "world"), defaultComponentName = "world",
    defaultComponentPrefixes = "inner",
    Documentation(info = "<html><p>One <code>inner World world</code> per model. All parts below it are one multibody system:
whatever may collide collides, and nothing is said about pairs. Gravity is uniform unless <code>gravityType</code> says otherwise.
A field of your own is a function of the place: <code>inner World world(redeclare function gravityAcceleration = myField)</code>, with
<code>extends Interfaces.partialGravityAcceleration</code>. What it does to bodies is counted as energy from outside, since it need have no potential.</p>
<p>With <code>steadyStart</code> bodies are moved, when a run begins, from where they are drawn to where forces balance, without speed. Coordinates
with <code>fixed = true</code> stay; what touches nothing, or has a speed, starts as it is given, with a warning.</p></html>"),
    Icon(graphics = {Ellipse(extent = {{-80, 80}, {80, -80}}), Line(points = {{0, 60}, {0, -60}, {-15, -30}}), Text(extent = {{-100, 140}, {100, 100}}, textString = "%name")}));
end World;
