within Rattleback;
package Forces "What pushes and pulls"
  import Rattleback.Units.*;
  import Rattleback.Interfaces.*;
  import Rattleback.Types.ResolveInFrame;

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
end Forces;
