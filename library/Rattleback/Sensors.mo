within Rattleback;
package Sensors "What can be measured of frames"
  import Rattleback.Units.*;
  import Rattleback.Interfaces.*;
  import Rattleback.Types.ResolveInFrame;

  model AbsolutePosition "Position of frame_a in the world"
    outer World world;
    Frame_a frame_a;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealOutput r[3](each unit = "m");
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_a "Axes of the components" annotation(Evaluate = true);
    annotation(__Rattleback(component = "Multibody", role = "absolute", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 0}, {40, 50}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end AbsolutePosition;

  model AbsoluteVelocity "Velocity of the origin of frame_a"
    outer World world;
    Frame_a frame_a;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealOutput v[3](each unit = "m/s");
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_a "Axes of the components" annotation(Evaluate = true);
    annotation(__Rattleback(component = "Multibody", role = "absolute", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 0}, {40, 50}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end AbsoluteVelocity;

  model AbsoluteAcceleration "Acceleration of the origin of frame_a"
    outer World world;
    Frame_a frame_a;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealOutput a[3](each unit = "m/s2");
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_a "Axes of the components" annotation(Evaluate = true);
    annotation(__Rattleback(component = "Multibody", role = "absolute", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 0}, {40, 50}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end AbsoluteAcceleration;

  model AbsoluteAngles "Angles about x, y, z that turn the axes of the world into those of frame_a"
    outer World world;
    Frame_a frame_a;
    Blocks.Interfaces.RealOutput angles[3](each unit = "rad");
    annotation(__Rattleback(component = "Multibody", role = "absolute", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 0}, {40, 50}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end AbsoluteAngles;

  model AbsoluteAngularVelocity "Angular velocity of frame_a"
    outer World world;
    Frame_a frame_a;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealOutput w[3](each unit = "rad/s");
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_a "Axes of the components" annotation(Evaluate = true);
    annotation(__Rattleback(component = "Multibody", role = "absolute", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 0}, {40, 50}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end AbsoluteAngularVelocity;

  model AbsoluteAngularAcceleration "Angular acceleration of frame_a"
    outer World world;
    Frame_a frame_a;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealOutput z[3](each unit = "rad/s2");
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_a "Axes of the components" annotation(Evaluate = true);
    annotation(__Rattleback(component = "Multibody", role = "absolute", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 0}, {40, 50}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end AbsoluteAngularAcceleration;

  model RelativePosition "From the origin of frame_a to that of frame_b"
    outer World world;
    Frame_a frame_a;
    Frame_b frame_b;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealOutput r_rel[3](each unit = "m");
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_a "Axes of the components" annotation(Evaluate = true);
    annotation(__Rattleback(component = "Multibody", role = "relative", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 0}, {40, 50}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end RelativePosition;

  model RelativeVelocity "Derivative of the relative position as it is seen from frame_a, in the axes of the frame that is chosen"
    outer World world;
    Frame_a frame_a;
    Frame_b frame_b;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealOutput v_rel[3](each unit = "m/s");
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_a "Axes of the components" annotation(Evaluate = true);
    parameter Boolean seenFromAxes = false "Derivatives as they are seen from the frame whose axes are used, not from frame_a" annotation(Evaluate = true);
    annotation(__Rattleback(component = "Multibody", role = "relative", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 0}, {40, 50}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end RelativeVelocity;

  model RelativeAcceleration "Second derivative of the relative position as it is seen from frame_a, in the axes of the frame that is chosen"
    outer World world;
    Frame_a frame_a;
    Frame_b frame_b;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealOutput a_rel[3](each unit = "m/s2");
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_a "Axes of the components" annotation(Evaluate = true);
    parameter Boolean seenFromAxes = false "Derivatives as they are seen from the frame whose axes are used, not from frame_a" annotation(Evaluate = true);
    annotation(__Rattleback(component = "Multibody", role = "relative", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 0}, {40, 50}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end RelativeAcceleration;

  model RelativeAngles "Angles about x, y, z that turn the axes of frame_a into those of frame_b"
    outer World world;
    Frame_a frame_a;
    Frame_b frame_b;
    Blocks.Interfaces.RealOutput angles[3](each unit = "rad");
    annotation(__Rattleback(component = "Multibody", role = "relative", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 0}, {40, 50}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end RelativeAngles;

  model RelativeAngularVelocity "Angular velocity of frame_b against frame_a"
    outer World world;
    Frame_a frame_a;
    Frame_b frame_b;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealOutput w_rel[3](each unit = "rad/s");
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_a "Axes of the components" annotation(Evaluate = true);
    annotation(__Rattleback(component = "Multibody", role = "relative", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 0}, {40, 50}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end RelativeAngularVelocity;

  model RelativeAngularAcceleration "Angular acceleration of frame_b against frame_a, as it is seen from frame_a, in the axes of the frame that is chosen"
    outer World world;
    Frame_a frame_a;
    Frame_b frame_b;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealOutput z_rel[3](each unit = "rad/s2");
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_a "Axes of the components" annotation(Evaluate = true);
    parameter Boolean seenFromAxes = false "Derivatives as they are seen from the frame whose axes are used, not from frame_a" annotation(Evaluate = true);
    annotation(__Rattleback(component = "Multibody", role = "relative", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 0}, {40, 50}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end RelativeAngularAcceleration;

  model Distance "Between the origins of two frames"
    outer World world;
    Frame_a frame_a;
    Frame_b frame_b;
    Blocks.Interfaces.RealOutput distance(unit = "m");
    annotation(__Rattleback(component = "Multibody", role = "relative", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 0}, {40, 50}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end Distance;

  model DistanceRate "Of the distance between the origins of two frames"
    outer World world;
    Frame_a frame_a;
    Frame_b frame_b;
    Blocks.Interfaces.RealOutput distance_rate(unit = "m/s");
    annotation(__Rattleback(component = "Multibody", role = "relative", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 0}, {40, 50}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end DistanceRate;

  model Presence "Is a part there? It may be removed, or be added later"
    outer World world;
    Frame_a frame_a;
    Blocks.Interfaces.BooleanOutput y = present > 0.5 "true: it is there";
    Real present "1: it is there, 0: it is not";
    annotation(__Rattleback(component = "Multibody", role = "absolute", anchor = "world"),
      Documentation(info = "<html><p>What other sensors measure of a part that is not there has no value (NaN), and a condition that looks at it ends the
run. <code>if there.y then high.r[2] else 0</code> has one.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{-30, 0}, {-5, -30}, {40, 40}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end Presence;

  partial model Cut "Two frames that coincide, and what goes from one to the other"
    outer World world;
    Frame_a frame_a;
    Frame_b frame_b "Coincides with frame_a";
    annotation(__Rattleback(component = "Multibody", role = "cut", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 0}, {40, 50}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end Cut;

  model CutForce "Force that goes through a connection, from frame_a to frame_b"
    extends Cut;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealOutput force[3](each unit = "N") "What acts on the side of frame_b";
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_a "Axes of the components" annotation(Evaluate = true);
  end CutForce;

  model CutTorque "Torque that goes through a connection, from frame_a to frame_b"
    extends Cut;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealOutput torque[3](each unit = "N.m") "What acts on the side of frame_b";
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_a "Axes of the components" annotation(Evaluate = true);
  end CutTorque;

  model CutForceAndTorque "Both"
    extends Cut;
    Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
    Blocks.Interfaces.RealOutput force[3](each unit = "N") "What acts on the side of frame_b";
    Blocks.Interfaces.RealOutput torque[3](each unit = "N.m") "What acts on the side of frame_b";
    parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_a "Axes of the components" annotation(Evaluate = true);
  end CutForceAndTorque;

  model Power "Power that flows from frame_a to frame_b"
    extends Cut;
    Blocks.Interfaces.RealOutput power(unit = "W");
  end Power;

  model Contact "What touches a part: another one, or anything"
    outer World world;
    parameter String a "Part: its name, from where the sensor stands or from the model";
    parameter String b = "" "Other part; empty: whatever touches a, but for soft bodies, which have a contact_force of their own";
    Blocks.Interfaces.RealOutput force[3](each unit = "N") "On a, in the axes of the world; all contacts together";
    Blocks.Interfaces.RealOutput point[3](each unit = "m") "Where the deepest contact is; zero without contact";
    Blocks.Interfaces.RealOutput depth(unit = "m") "Of the deepest contact; zero without contact. Of workpieces: the volume they share over the area of their patch";
    Blocks.Interfaces.RealOutput slip(unit = "m/s") "Tangential speed of the deepest contact";
    Blocks.Interfaces.RealOutput normalForce(unit = "N") "What presses, without friction: sum of its size over all contacts";
    Blocks.Interfaces.RealOutput power(unit = "W") "What the contacts dissipate";
    annotation(__Rattleback(component = "Multibody", role = "contact_sensor", anchor = "world"),
      Documentation(info = "<html><p>What the contacts have dissipated so far is the result <code>energy</code>. Forces of contact follow from positions and
velocities: a controller may use them without an algebraic loop.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 0}, {40, 50}}), Text(extent = {{-100, 130}, {100, 90}}, textString = "%name")}));
  end Contact;

end Sensors;
