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

  model Spring "Along the line between the origins of two frames"
    extends PartialForce;
    parameter TranslationalSpringConstant c(min = 0) = 0;
    parameter Length s_unstretched = 0 "Length without force";
    annotation(__Rattleback(component = "Multibody", role = "spring", anchor = "world"),
      Icon(graphics = {Line(points = {{-100, 0}, {-60, 0}, {-40, 40}, {0, -40}, {40, 40}, {60, 0}, {100, 0}})}));
  end Spring;

  model Damper "Along the line between the origins of two frames"
    extends PartialForce;
    parameter TranslationalDampingConstant d(min = 0) = 0;
    annotation(__Rattleback(component = "Multibody", role = "spring", anchor = "world"),
      Icon(graphics = {Rectangle(extent = {{-40, 30}, {40, -30}}), Line(points = {{-100, 0}, {0, 0}})}));
  end Damper;

  model SpringDamperParallel "A spring and a damper beside each other, between the origins of two frames"
    extends PartialForce;
    parameter TranslationalSpringConstant c(min = 0) = 0;
    parameter Length s_unstretched = 0 "Length without force of the spring";
    parameter TranslationalDampingConstant d(min = 0) = 0;
    annotation(__Rattleback(component = "Multibody", role = "spring", anchor = "world"),
      Icon(graphics = {Line(points = {{-100, 40}, {-40, 40}, {0, 0}, {40, 40}, {100, 40}}), Rectangle(extent = {{-40, -10}, {40, -50}})}));
  end SpringDamperParallel;

  model SpringDamperSeries "A spring and a damper behind each other, between the origins of two frames"
    extends PartialForce;
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
  equation
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
      Documentation(info = "<html><p>Force and torque are those that frame_b feels back to frame_a.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-60, 60}, {60, -60}}), Ellipse(extent = {{-25, 25}, {25, -25}}, fillPattern = FillPattern.Solid), Line(points = {{-100, 0}, {-60, 0}})}));
  end Bushing;

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
