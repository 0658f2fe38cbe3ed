within Rattleback;
package Forces "What pushes and pulls"
  import Rattleback.Units.*;
  import Rattleback.Interfaces.*;
  import Rattleback.Types.ResolveInFrame;

  function standardGravity "Gravity as World.gravityType says: computed by the engine"
    extends Interfaces.partialGravityAcceleration;
  algorithm
    gravity := zeros(3);
    annotation(__Rattleback(none = true));
  end standardGravity;

  partial model PartialForce "Two frames"
    outer World world;
    Frame_a frame_a;
    Frame_b frame_b;
    annotation(Icon(graphics = {Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end PartialForce;

  model Line "The line between the origins of two frames, with masses on it"
    extends PartialForce;
    parameter Mass m(min = 0) = 0 "Of a point on the line";
    parameter Real lengthFraction(min = 0, max = 1) = 0.5 "Where it is: 0: at frame_a, 1: at frame_b";
    parameter Mass m_a(min = 0) = 0 "Of a point that keeps its distance to frame_a";
    parameter Position L_a = 0 "That distance";
    parameter Mass m_b(min = 0) = 0 "Of a point that keeps its distance to frame_b";
    parameter Position L_b = 0 "That distance";
    parameter Boolean hasMass = true "Otherwise it is only measured" annotation(Evaluate = true);
    Length length "From frame_a to frame_b; equations may differentiate it once";
    Velocity length_rate;
    annotation(__Rattleback(component = "Multibody", role = "line", anchor = "world"),
      Documentation(info = "<html><p>What line forces are made of. The frames must not coincide.</p></html>"),
      Icon(graphics = {Line(points = {{-100, 0}, {100, 0}}), Ellipse(extent = {{-10, 10}, {10, -10}}, fillPattern = FillPattern.Solid)}));
  end Line;

  model Way "From one frame to the other, and whether both are there"
    extends Sensors.RelativePosition;
    Real present "1: both are; 0: one belongs to a part that was removed, or comes later";
  end Way;

  partial model PartialLineForce "What is connected to its flanges acts along the line between two frames"
    extends PartialForce;
    Translational.Interfaces.Flange_b flange_a "At frame_a";
    Translational.Interfaces.Flange_a flange_b "At frame_b";
    parameter Length s_small = 1e-10 "The direction of the force is lost below this length";
    Length length = line.length "From frame_a to frame_b";
    Units.Force fa "From flange_a";
    Units.Force fb "From flange_b";
    replaceable Line line "With its masses";
    Way way(resolveInFrame = ResolveInFrame.world);
    WorldForce on_a, on_b;
  equation
    flange_a.s = 0;
    flange_b.s = length;
    if cardinality(flange_a) > 0 and cardinality(flange_b) > 0 then
      fa = flange_a.f;
      fb = flange_b.f;
    elseif cardinality(flange_a) > 0 then
      fa = flange_a.f;
      fb = -fa;
    elseif cardinality(flange_b) > 0 then
      fb = flange_b.f;
      fa = -fb;
    else
      fa = 0;
      fb = 0;
    end if;
    on_a.force = if noEvent(way.present > 0.5) then way.r_rel/max(length, s_small)*fa else zeros(3);
    on_b.force = if noEvent(way.present > 0.5) then way.r_rel/max(length, s_small)*fb else zeros(3);
    connect(frame_a, line.frame_a);
    connect(frame_b, line.frame_b);
    connect(frame_a, way.frame_a);
    connect(frame_b, way.frame_b);
    connect(frame_a, on_a.frame_b);
    connect(frame_b, on_b.frame_b);
    annotation(Icon(graphics = {Line(points = {{-60, 80}, {-60, 0}, {-100, 0}}), Line(points = {{60, 80}, {60, 0}, {100, 0}})}));
  end PartialLineForce;

  model LineForceWithMass "Translational elements act along the line between two frames, on which there may be a mass"
    parameter Mass m(min = 0) = 0 "Of a point on the line" annotation(Evaluate = true);
    parameter Real lengthFraction(min = 0, max = 1) = 0.5 "Where it is: 0: at frame_a, 1: at frame_b";
    extends PartialLineForce(line(m = m, lengthFraction = lengthFraction, hasMass = m > 0));
    annotation(Documentation(info = "<html><p>Springs, dampers and actuators of <code>Translational</code> are connected between <code>flange_a</code> and <code>flange_b</code>. An element with one flange acts with the opposite force on the other end. A <code>Translational</code> mass cannot be connected there: it is <code>m</code>.
The mass stays at its fraction of the length, whatever that is: half of a spring's mass moves as if it were there.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-15, 15}, {15, -15}}, fillPattern = FillPattern.Sphere)}));
  end LineForceWithMass;

  model LineForceWithTwoMasses "Translational elements act along the line between two frames, with a mass near either end: a cylinder and its piston"
    parameter Mass m_a(min = 0) = 0 "Of a point on the line that keeps its distance to frame_a" annotation(Evaluate = true);
    parameter Mass m_b(min = 0) = 0 "Of a point on the line that keeps its distance to frame_b" annotation(Evaluate = true);
    parameter Position L_a = 0 "From frame_a to its point";
    parameter Position L_b = L_a "From frame_b to its point";
    extends PartialLineForce(line(m_a = m_a, m_b = m_b, L_a = L_a, L_b = L_b, hasMass = m_a > 0 or m_b > 0));
    annotation(Documentation(info = "<html><p>See <code>LineForceWithMass</code>. The points turn with the line, so each adds to its moment of inertia.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-55, 15}, {-25, -15}}, fillPattern = FillPattern.Sphere), Ellipse(extent = {{25, 15}, {55, -15}}, fillPattern = FillPattern.Sphere)}));
  end LineForceWithTwoMasses;

  model Spring "Along the line between the origins of two frames"
    extends PartialForce;
    parameter TranslationalSpringConstant c(min = 0) = 0;
    parameter Length s_unstretched = 0 "Length without force";
    parameter Mass m(min = 0) = 0 "Of the spring: a point on the line" annotation(Evaluate = true);
    parameter Real lengthFraction(min = 0, max = 1) = 0.5 "Where that is: 0: at frame_a, 1: at frame_b";
  protected
    Line line(m = m, lengthFraction = lengthFraction) if m > 0;
  equation
    connect(frame_a, line.frame_a);
    connect(frame_b, line.frame_b);
    annotation(__Rattleback(component = "Multibody", role = "spring", anchor = "world"),
      Icon(graphics = {Line(points = {{-100, 0}, {-60, 0}, {-40, 40}, {0, -40}, {40, 40}, {60, 0}, {100, 0}})}));
  end Spring;

  partial model PartialLoss "A heat port takes up what is lost, if it is wanted"
    parameter Boolean useHeatPort = false "What is lost goes to a heat port" annotation(Evaluate = true);
    HeatTransfer.Interfaces.HeatPort_a heatPort if useHeatPort "Takes up what is lost";
  end PartialLoss;

  model DamperLoss "What a damper between two frames turns into heat"
    extends PartialForce;
    parameter TranslationalDampingConstant d(min = 0) = 0;
    HeatTransfer.Interfaces.HeatPort_a heatPort;
    Sensors.DistanceRate rate;
  equation
    connect(frame_a, rate.frame_a);
    connect(frame_b, rate.frame_b);
    heatPort.Q_flow = -d*rate.distance_rate^2;
    annotation(Icon(graphics = {Rectangle(extent = {{-40, 30}, {40, -30}}), Line(points = {{0, 0}, {0, -90}}, pattern = LinePattern.Dash)}));
  end DamperLoss;

  model Damper "Along the line between the origins of two frames"
    extends PartialForce;
    extends PartialLoss;
    parameter TranslationalDampingConstant d(min = 0) = 0;
  protected
    DamperLoss loss(d = d) if useHeatPort;
  equation
    connect(frame_a, loss.frame_a);
    connect(frame_b, loss.frame_b);
    connect(loss.heatPort, heatPort);
    annotation(__Rattleback(component = "Multibody", role = "spring", anchor = "world"),
      Icon(graphics = {Rectangle(extent = {{-40, 30}, {40, -30}}), Line(points = {{-100, 0}, {0, 0}})}));
  end Damper;

  model SpringDamperParallel "A spring and a damper beside each other, between the origins of two frames"
    extends PartialForce;
    extends PartialLoss;
    parameter TranslationalSpringConstant c(min = 0) = 0;
    parameter Length s_unstretched = 0 "Length without force of the spring";
    parameter TranslationalDampingConstant d(min = 0) = 0;
  protected
    DamperLoss loss(d = d) if useHeatPort;
  equation
    connect(frame_a, loss.frame_a);
    connect(frame_b, loss.frame_b);
    connect(loss.heatPort, heatPort);
    annotation(__Rattleback(component = "Multibody", role = "spring", anchor = "world"),
      Icon(graphics = {Line(points = {{-100, 40}, {-40, 40}, {0, 0}, {40, 40}, {100, 40}}), Rectangle(extent = {{-40, -10}, {40, -50}})}));
  end SpringDamperParallel;

  model SpringDamperSeries "A spring and a damper behind each other, between the origins of two frames"
    extends PartialForce;
    extends PartialLoss;
    parameter TranslationalSpringConstant c(min = 0) = 1;
    parameter Length s_unstretched = 0 "Length of both together without force, at the start";
    parameter TranslationalDampingConstant d(min = 0) = 1;
    parameter Position s_damper_start = 0;
    parameter Length s_small = 1e-10 "The direction of the force is lost below this length";
    Length s "From frame_a to frame_b";
    Position s_damper(start = s_damper_start, fixed = true) "By which the damper is longer than at the start";
    Units.Force f "Pulls the frames together";
  protected
    Sensors.RelativePosition way(resolveInFrame = ResolveInFrame.world);
    Forces.Force pull(resolveInFrame = ResolveInFrame.world);
    HeatTransfer.Sources.PrescribedHeatFlow loss(Q_flow = f*der(s_damper)) if useHeatPort;
  equation
    connect(loss.port, heatPort);
    connect(frame_a, way.frame_a);
    connect(frame_b, way.frame_b);
    connect(frame_a, pull.frame_a);
    connect(frame_b, pull.frame_b);
    s = sqrt(way.r_rel*way.r_rel);
    f = c*(s - s_unstretched - s_damper);
    d*der(s_damper) = f;
    pull.force = -way.r_rel/max(s, s_small)*f;
    annotation(Documentation(info = "<html><p>A Maxwell element: it bears no force for ever.</p></html>"),
      Icon(graphics = {Line(points = {{-100, 0}, {-80, 20}, {-60, -20}, {-40, 20}, {-20, 0}, {20, 0}}), Rectangle(extent = {{20, 30}, {80, -30}})}));
  end SpringDamperSeries;

  model Bushing "Springs and dampers along and about the axes of frame_a"
    extends PartialForce;
    parameter TranslationalSpringConstant c[3](each min = 0) = zeros(3) "Along x, y, z";
    parameter TranslationalDampingConstant d[3](each min = 0) = zeros(3);
    parameter RotationalSpringConstant c_angular[3](each min = 0) = zeros(3) "About x, y, z";
    parameter RotationalDampingConstant d_angular[3](each min = 0) = zeros(3);
    parameter Units.Force f_0[3] = zeros(3) "Where the frames coincide; acts on frame_a";
    parameter Units.Torque tau_0[3] = zeros(3) "The same";
    parameter Boolean largeAngles = false "Angles about x, y, z, one after the other; otherwise small ones";
    annotation(__Rattleback(component = "Multibody", role = "bushing", anchor = "world"),
      Documentation(info = "<html><p>Force and torque are those that frame_b feels back to frame_a. Forces act along the axes of frame_a. With <code>largeAngles</code> the angles are those
about x, the turned y and the twice turned z that take frame_a to frame_b, and the torque of each spring and damper acts about the axis of its angle, as in the published element of Modia3D; otherwise angles are the entries of the
rotation matrix, and torques act about the axes of frame_a.</p><p>Neither torque has a potential once it turns about more than one axis (the axes of the first and third angle are not at right angles): on a closed path the springs bring in or take energy, little at small
angles, more than there was at angles of 1 rad. The springs store c_angular*angle^2/2 each; what they do beyond that is in <code>energy.input</code>, of either sign, what dampers take in <code>energy.dampers</code>. About one axis alone energy is kept.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-60, 60}, {60, -60}}), Ellipse(extent = {{-25, 25}, {25, -25}}, fillPattern = FillPattern.Solid), Line(points = {{-100, 0}, {-60, 0}})}));
  end Bushing;

  partial function BushingForce "Force between two frames: what FunctionBushing.force is redeclared to"
    input Position r[3] "From frame_a to frame_b";
    input Velocity v[3] "Of frame_b, as frame_a sees it";
    input Angle angles[3] "Of frame_b against frame_a";
    input AngularVelocity w[3] "Their rates";
    output Units.Force f[3] "On frame_a; the opposite acts on frame_b";
  end BushingForce;

  partial function BushingTorque "Torque between two frames: what FunctionBushing.torque is redeclared to"
    input Position r[3] "From frame_a to frame_b";
    input Velocity v[3] "Of frame_b, as frame_a sees it";
    input Angle angles[3] "Of frame_b against frame_a";
    input AngularVelocity w[3] "Their rates";
    output Units.Torque tau[3] "On frame_a, about its axes (largeAngles: about the axes of the three angles); the opposite acts on frame_b";
    annotation(Documentation(info = "<html><p>With <code>largeAngles</code> the three numbers are torques about x of frame_a, y turned by the first angle, and z turned by the first two: <code>tau := c*angles</code> is a <code>Bushing</code>, and has
no potential either.</p></html>"));
  end BushingTorque;

  function noForce "None"
    extends BushingForce;
  algorithm
    f := zeros(3);
  end noForce;

  function noTorque "None"
    extends BushingTorque;
  algorithm
    tau := zeros(3);
  end noTorque;

  model FunctionBushing "Force and torque between two frames are functions of yours, along and about the axes of frame_a"
    extends PartialForce;
    parameter Boolean largeAngles = false "Angles about x, y, z, one after the other; otherwise small ones";
    replaceable function force = noForce constrainedby BushingForce;
    replaceable function torque = noTorque constrainedby BushingTorque;
  protected
    parameter Real state[12] = zeros(12) "Arguments of both";
    parameter Units.Force law_f[3] = force(state[1:3], state[4:6], state[7:9], state[10:12]);
    parameter Units.Torque law_tau[3] = torque(state[1:3], state[4:6], state[7:9], state[10:12]);
    annotation(__Rattleback(component = "Multibody", role = "bushing", anchor = "world"),
      Documentation(info = "<html><p>Force and torque are what draws frame_b back to frame_a: <code>f := c*r + d*v</code> is a <code>Bushing</code>. Both functions know everything, so that axes may be coupled. What they do
counts as energy from outside, since they need have no potential. Extend <code>BushingForce</code> and <code>BushingTorque</code>, with parameters of your own:
<code>FunctionBushing rubber(redeclare function force = myForce(c = 1e5))</code>.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-60, 60}, {60, -60}}), Ellipse(extent = {{-25, 25}, {25, -25}}, fillPattern = FillPattern.Solid), Line(points = {{-100, 0}, {-60, 0}}), Line(points = {{-60, -70}, {0, -70}, {60, -20}})}));
  end FunctionBushing;

  model WorldForce "A force from outside acts at frame_b"
    outer World world;
    Frame_b frame_b;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealInput force[3](each unit = "N");
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.world "Axes of the components" annotation(Evaluate = true);
    annotation(__Rattleback(component = "Multibody", role = "force", anchor = "world"),
      Icon(graphics = {Polygon(points = {{-100, 10}, {20, 10}, {20, 41}, {90, 0}, {20, -41}, {20, -10}, {-100, -10}}), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end WorldForce;

  model WorldTorque "A torque from outside acts on frame_b"
    outer World world;
    Frame_b frame_b;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealInput torque[3](each unit = "N.m");
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.world "Axes of the components" annotation(Evaluate = true);
    annotation(__Rattleback(component = "Multibody", role = "force", anchor = "world"),
      Icon(graphics = {Line(points = {{-80, 0}, {0, 60}, {80, 0}}), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end WorldTorque;

  model WorldForceAndTorque "A force and a torque from outside act at frame_b"
    outer World world;
    Frame_b frame_b;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealInput force[3](each unit = "N");
    Blocks.Interfaces.RealInput torque[3](each unit = "N.m");
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.world "Axes of the components" annotation(Evaluate = true);
    annotation(__Rattleback(component = "Multibody", role = "force", anchor = "world"),
      Icon(graphics = {Line(points = {{-80, 0}, {0, 60}, {80, 0}}), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end WorldForceAndTorque;

  model Force "A force acts at frame_b, and its opposite at frame_a, at the origin of frame_b"
    extends PartialForce;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealInput force[3](each unit = "N");
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_b "Axes of the components" annotation(Evaluate = true);
    annotation(__Rattleback(component = "Multibody", role = "force", anchor = "world"),
      Icon(graphics = {Line(points = {{-90, 0}, {-20, 0}}), Line(points = {{20, 0}, {90, 0}})}));
  end Force;

  model Torque "A torque acts on frame_b, and its opposite on frame_a"
    extends PartialForce;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealInput torque[3](each unit = "N.m");
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_b "Axes of the components" annotation(Evaluate = true);
    annotation(__Rattleback(component = "Multibody", role = "force", anchor = "world"),
      Icon(graphics = {Line(points = {{-90, 0}, {-20, 40}}), Line(points = {{20, 40}, {90, 0}})}));
  end Torque;

  model ForceAndTorque "A force and a torque act at frame_b, and their opposites at frame_a"
    extends PartialForce;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealInput force[3](each unit = "N");
    Blocks.Interfaces.RealInput torque[3](each unit = "N.m");
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_b "Axes of the components" annotation(Evaluate = true);
    annotation(__Rattleback(component = "Multibody", role = "force", anchor = "world"),
      Icon(graphics = {Line(points = {{-90, 0}, {-20, 0}}), Line(points = {{20, 0}, {90, 0}}), Line(points = {{-20, 40}, {20, 40}})}));
  end ForceAndTorque;
end Forces;
