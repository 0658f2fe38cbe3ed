within Rattleback;
package Materials "Materials and contact data that a model brings along"
  import Rattleback.Units.*;

  model Solid "A material by its name"
    parameter String name "What parts call it";
    parameter Real density(unit = "kg/m3", min = 0) = 8000;
    parameter Real youngsModulus(unit = "Pa", min = 0) = 2e11;
    parameter Real poissonsRatio(min = 0, max = 0.5) = 0.3;
    annotation(__Rattleback(component = "Multibody", role = "material", anchor = ""),
      Documentation(info = "<html><p>Adds to the materials that come with us, or takes the place of one of them.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-60, 60}, {60, -60}}, fillPattern = FillPattern.Solid), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Solid;

  model Pair "How two materials, or two parts, touch each other"
    parameter String a "A material, or a part: its name, from where this stands or from the model";
    parameter String b "The same";
    parameter Real restitution(min = 0, max = 1) = 1 "Coefficient of restitution; less than 0.005 acts as 0.005";
    parameter Real slidingFriction(min = 0) = 0;
    parameter Real rollingResistance(min = 0) = 0 "Times the radius at the contact";
    parameter Real twistingFriction(min = 0) = 1 "Share of what a Hertz contact has, at a point; patches and workpieces have it from their friction";
    parameter Velocity smallSpeed = 0.01 "Below this friction and restitution are regularised";
    parameter AngularVelocity smallSpin = 0.01;
    parameter Real stiffness(min = 0) = 0 "Of a spring and a damper instead of Hertz' law [N/m^exponent]; 0: Hertz; not for workpieces";
    parameter Real exponent(min = 1) = 1.5 "Of this spring";
    parameter Real damper(unit = "N.s/m", min = 0) = 0 "Beside this spring; its force is never larger than the spring's, so that a contact neither starts with a jump nor pulls";
    parameter Types.Response response = Types.Response.elastic;
    parameter Types.Friction friction = Types.Friction.automatic;
    parameter Types.Faces faces = Types.Faces.patch;
    parameter Real staticFriction(min = 0) = slidingFriction "Of Friction.static_ and curve";
    parameter Velocity staticSpeed = 0.01 "From static to sliding friction";
    parameter Force maximumFriction = 1e300 "Limit of Friction.static_";
    parameter Length bristleLength = 1e-5 "Slip at which sticking ends";
    parameter Time bristleTime = 1e-3 "Damping of what sticks";
    annotation(__Rattleback(component = "Multibody", role = "pair", anchor = ""),
      Documentation(info = "<html><p>For parts it holds for these two alone; with all others they touch as their materials do.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-80, 40}, {0, -40}}), Ellipse(extent = {{0, 40}, {80, -40}}), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end Pair;

  partial function NormalForce "Force of a contact along its normal: what FunctionPair.normalForce is redeclared to"
    input Length depth "Penetration, > 0";
    input Velocity rate "Of the penetration: positive while it grows";
    input Length radius "Effective, 1/(1/R1 + 1/R2)";
    input Real modulus(unit = "Pa") "Effective, 1/((1 - nu1^2)/E1 + (1 - nu2^2)/E2), times World.elasticContactReductionFactor; 0: a material has none";
    input Mass mass "Effective, when the contact starts";
    output Force f "Never pulls: what is negative counts as zero";
  end NormalForce;

  function hertz "Hertz' law without damping"
    extends NormalForce;
  algorithm
    f := 4/3*modulus*sqrt(radius)*depth*sqrt(depth);
  end hertz;

  model FunctionPair "How two materials, or two parts, touch each other, with a function of yours along the normal"
    extends Pair(final restitution = 1, final stiffness = 0, final exponent = 1.5, final damper = 0, final faces = Types.Faces.point);
    replaceable function normalForce = hertz constrainedby NormalForce "Force of penetration and its rate";
  protected
    parameter Real press[5] = zeros(5) "Arguments of normalForce";
    parameter Units.Force f = normalForce(press[1], press[2], press[3], press[4], press[5]);
    annotation(Documentation(info = "<html><p>Friction is that of <code>Pair</code>. The function should be zero at depth zero, so that contacts start without a jump. What it gives
without speed is taken as elastic, the rest as damping, in the account of energy. Faces press at one point. Workpieces, which touch by their surface, cannot have it.</p></html>"),
      Icon(graphics = {Line(points = {{-60, -70}, {0, -70}, {60, -20}})}));
  end FunctionPair;

  model SurfacePair "How two materials, or two parts, touch where one of them is a workpiece: by the volume they share"
    parameter String a "A material, or a part: its name, from where this stands or from the model";
    parameter String b "The same";
    parameter Types.VolumeForm form = Types.VolumeForm.bedding "Beside a sphere or an ellipsoid bedding is Hertz' law";
    parameter Real modulus(unit = "Pa", min = 0) = 0 "Of both together; 0: from their materials";
    parameter Length length = 0 "Of VolumeForm.potential, and of bedding, where 0 means 7.09 times the layer under the surface: an eighth of the size, or what fits";
    parameter Real restitution(min = 0, max = 1) = 0.5 "Coefficient of restitution; less than 0.005 acts as 0.005";
    parameter Velocity smallSpeed = 0.01 "Below this impacts return with less";
    parameter Real loadRatio(min = 1) = 1 "How many times heavier than the lighter part may be what presses on both and still comes to rest soon";
    parameter Real damping(unit = "s/m", min = 0) = 0 "Force times 1 + damping*speed of approach; 0: as the restitution says";
    parameter Real slidingFriction(min = 0) = 0;
    parameter Real staticFriction(min = 0) = slidingFriction;
    parameter Velocity slipSpeed = 1e-3 "From static to sliding friction";
    parameter Boolean sticks = true "What rests does not creep; otherwise friction vanishes at rest";
    parameter Length bristleLength = 1e-5 "Slip at which sticking ends";
    parameter Time bristleTime = 1e-3 "Damping of what sticks";
    parameter Boolean tractions = true "Forces over the patch: resistance to rolling and spinning follows from its shape";
    parameter Real spinDamping(unit = "s/m", min = 0) = 0 "Without tractions: torque against spinning, over force, area and angular velocity";
    annotation(__Rattleback(component = "Multibody", role = "surface_pair", anchor = ""),
      Documentation(info = "<html><p>Without one, workpieces touch by the modulus, restitution and friction of their materials (<code>Pair</code>).</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-80, 40}, {10, -40}}), Rectangle(extent = {{-10, 40}, {80, -40}}), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end SurfacePair;

  model LayerPair "How two materials, or two parts, touch where one of them is a workpiece: by elastic layers on their surfaces"
    parameter String a "A material, or a part: its name, from where this stands or from the model";
    parameter String b "The same";
    parameter Real youngsModulus[2](each unit = "Pa", each min = 0) = {2e6, 0} "Of the layer of a, of b; 0: rigid";
    parameter Real poissonsRatio[2] = {0.3, 0.3};
    parameter Length depth[2] = {0.01, 0} "Of the layers; 0: rigid";
    parameter Types.Base base = Types.Base.both;
    parameter Real compressionDamping(unit = "N.s/m3", min = 0) = 0 "Per area";
    parameter Real expansionDamping(unit = "N.s/m3", min = 0) = compressionDamping "Per area";
    parameter Types.LayerDamping dampingMode = Types.LayerDamping.noPull;
    parameter Length transitionDepth = 0 "Damping fades in up to here";
    parameter Real slidingFriction(min = 0) = 0;
    parameter Velocity slipSpeed = 0.01 "Full friction from here on";
    parameter Length maximumPenetration = 0.01 "How deep a triangle may lie in the other part";
    annotation(__Rattleback(component = "Multibody", role = "surface_pair", anchor = ""),
      Documentation(info = "<html><p>The polygonal contact model (Hippmann 2004). Layers do not stick and have no coefficient of restitution; balls touch as meshes.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-80, 40}, {0, -40}}), Rectangle(extent = {{0, 40}, {10, -40}}, fillPattern = FillPattern.Solid), Rectangle(extent = {{10, 40}, {80, -40}}), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end LayerPair;
end Materials;
