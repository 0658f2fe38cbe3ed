within Rattleback;
package Joints "What lets two frames move against each other"
  import Rattleback.Units.*;
  import Rattleback.Interfaces.*;

  partial model PartialJoint "Two frames"
    outer World world;
    Frame_a frame_a;
    Frame_b frame_b;
    parameter Boolean canCollide = false "What is fixed to frame_a may touch what is fixed to frame_b";
    annotation(Icon(graphics = {Rectangle(extent = {{-100, 60}, {-30, -60}}), Rectangle(extent = {{30, 60}, {100, -60}}), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end PartialJoint;

  model Revolute "Turns about an axis that is fixed in both frames"
    extends PartialJoint;
    parameter Boolean useAxisFlange = false "A drive turns the joint" annotation(Evaluate = true);
    Rotational.Interfaces.Flange_a axis if useAxisFlange "Drives the joint";
    Rotational.Interfaces.Flange_b support if useAxisFlange "Where the drive is held: fixed to frame_a";
    parameter Real n[3] = {0, 0, 1} "Axis in frame_a and frame_b; its length does not matter";
    Angle phi(start = 0) "From frame_a to frame_b";
    AngularVelocity w(start = 0);
    AngularAcceleration a(start = 0);
    Torque tau "About the axis, that drives the joint";
    parameter RotationalSpringConstant c(min = 0) = 0 "Of a spring in the joint";
    parameter Angle phi_rest = 0 "Where that spring is relaxed";
    parameter RotationalDampingConstant d(min = 0) = 0 "Of a damper in the joint";
    parameter AngularVelocity w_rest = 0 "Speed at which that damper has no torque: that of a motor which turns its other end";
    parameter Units.Torque tau_0 = 0 "Constant torque in the joint";
    parameter Angle phi_min = -1e10 "Lower stop", phi_max = 1e10 "Upper stop";
    parameter RotationalSpringConstant c_stop(min = 0) = 0 "Of the stops; 0: none";
    parameter Real d_stop(unit = "s/rad", min = 0) = 0 "Of the stops: beyond one by x the torque is c_stop*x*(1 + d_stop*der(x)), never negative";
  protected
    Rotational.Interfaces.InternalSupport internalAxis(tau = tau, phi = phi) if useAxisFlange;
    Rotational.Components.Fixed fixed if useAxisFlange "Holds the support";
  equation
    connect(internalAxis.flange, axis);
    connect(fixed.flange, support);
    annotation(__Rattleback(component = "Multibody", role = "revolute", anchor = "world"),
      Documentation(info = "<html><p>With <code>useAxisFlange</code> motors, gears and springs are connected to <code>axis</code> and <code>support</code>.
Otherwise the joint turns freely.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-30, 11}, {30, -10}}, fillPattern = FillPattern.Solid)}));
  end Revolute;

  model Prismatic "Slides along an axis that is fixed in both frames"
    extends PartialJoint;
    parameter Boolean useAxisFlange = false "A drive moves the joint" annotation(Evaluate = true);
    Translational.Interfaces.Flange_a axis if useAxisFlange "Drives the joint";
    Translational.Interfaces.Flange_b support if useAxisFlange "Where the drive is held: fixed to frame_a";
    parameter Real n[3] = {1, 0, 0} "Axis in frame_a and frame_b; its length does not matter";
    Position s(start = 0) "From frame_a to frame_b";
    Velocity v(start = 0);
    Acceleration a(start = 0);
    Force f "Along the axis, that drives the joint";
    parameter TranslationalSpringConstant c(min = 0) = 0 "Of a spring in the joint";
    parameter Position s_rest = 0 "Where that spring is relaxed";
    parameter TranslationalDampingConstant d(min = 0) = 0 "Of a damper in the joint";
    parameter Velocity v_rest = 0 "Speed at which that damper has no force: that of a motor which moves its other end";
    parameter Units.Force f_0 = 0 "Constant force in the joint";
    parameter Position s_min = -1e10 "Lower stop", s_max = 1e10 "Upper stop";
    parameter TranslationalSpringConstant c_stop(min = 0) = 0 "Of the stops; 0: none";
    parameter Real d_stop(unit = "s/m", min = 0) = 0 "Of the stops: beyond one by x the force is c_stop*x*(1 + d_stop*der(x)), never negative";
  protected
    Translational.Interfaces.InternalSupport internalAxis(f = f, s = s) if useAxisFlange;
    Translational.Components.Fixed fixed if useAxisFlange "Holds the support";
  equation
    connect(internalAxis.flange, axis);
    connect(fixed.flange, support);
    annotation(__Rattleback(component = "Multibody", role = "prismatic", anchor = "world"),
      Icon(graphics = {Rectangle(extent = {{-30, 40}, {100, -40}}, fillPattern = FillPattern.Solid)}));
  end Prismatic;

  model Cylindrical "Slides along and turns about one axis"
    extends PartialJoint;
    parameter Real n[3] = {1, 0, 0} "Axis in frame_a and frame_b";
    Position s(start = 0) "From frame_a to frame_b along the axis";
    Velocity v(start = 0);
    Acceleration a(start = 0);
    Angle phi(start = 0) "From frame_a to frame_b about the axis";
    AngularVelocity w(start = 0);
    AngularAcceleration wd(start = 0);
    Force f "Along the axis: none";
    Torque tau "About the axis: none";
    annotation(__Rattleback(component = "Multibody", role = "cylindrical", anchor = "world"));
  end Cylindrical;

  model Universal "Turns about two axes that are perpendicular to each other"
    extends PartialJoint;
    parameter Real n_a[3] = {1, 0, 0} "Axis that is fixed in frame_a";
    parameter Real n_b[3] = {0, 1, 0} "Axis that is fixed in frame_b";
    Angle phi_a(start = 0);
    Angle phi_b(start = 0);
    AngularVelocity w_a(start = 0);
    AngularVelocity w_b(start = 0);
    AngularAcceleration a_a(start = 0);
    AngularAcceleration a_b(start = 0);
    Torque tau_a "About the first axis: none";
    Torque tau_b "About the second axis: none";
    annotation(__Rattleback(component = "Multibody", role = "universal", anchor = "world"));
  end Universal;

  model Planar "Slides in a plane and turns about its normal"
    extends PartialJoint;
    parameter Real n[3] = {0, 0, 1} "Normal of the plane";
    parameter Real n_x[3] = {1, 0, 0} "Direction of s_x in the plane";
    Position s_x(start = 0);
    Position s_y(start = 0);
    Angle phi(start = 0);
    Velocity v_x(start = 0);
    Velocity v_y(start = 0);
    AngularVelocity w(start = 0);
    Acceleration a_x(start = 0);
    Acceleration a_y(start = 0);
    AngularAcceleration wd(start = 0);
    Force f_x "Along s_x: none";
    Force f_y "Along s_y: none";
    Torque tau "About the normal: none";
    annotation(__Rattleback(component = "Multibody", role = "planar", anchor = "world"));
  end Planar;

  model Spherical "Turns about a point"
    extends PartialJoint;
    parameter Boolean angles_fixed = false "Loops are closed without changing angles_start" annotation(Evaluate = true);
    parameter Angle angles_start[3] = zeros(3) "Turned by these angles about x, y, z at the start";
    parameter Boolean w_rel_a_fixed = false "Loops are closed without changing w_rel_a_start" annotation(Evaluate = true);
    parameter AngularVelocity w_rel_a_start[3] = zeros(3) "At the start, in the axes of frame_a";
    annotation(__Rattleback(component = "Multibody", role = "spherical", anchor = "world"),
      Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}, fillPattern = FillPattern.Solid)}));
  end Spherical;

  model FreeMotion "frame_b moves freely against frame_a"
    extends PartialJoint;
    Position r_rel_a[3](each start = 0) "Of frame_b, in the axes of frame_a";
    Velocity v_rel_a[3](each start = 0) "Its derivative";
    parameter Boolean angles_fixed = false "Loops are closed without changing angles_start" annotation(Evaluate = true);
    parameter Angle angles_start[3] = zeros(3) "Turned by these angles about x, y, z at the start";
    parameter Boolean w_rel_a_fixed = false "Loops are closed without changing w_rel_a_start" annotation(Evaluate = true);
    parameter AngularVelocity w_rel_a_start[3] = zeros(3) "At the start, in the axes of frame_a";
    annotation(__Rattleback(component = "Multibody", role = "free", anchor = "world"));
  end FreeMotion;

  model GearConstraint "Two hinges in one bearing whose angles a gear couples"
    outer World world;
    Frame_a frame_a "Turns about n_a against the bearing";
    Frame_b frame_b "Turns about n_b against the bearing";
    Frame_a bearing "Holds both hinges";
    parameter Real ratio(start = 2) = 2 "Of the angles of a and b";
    parameter Real n_a[3] = {1, 0, 0} "Axis of hinge a in the bearing";
    parameter Real n_b[3] = {1, 0, 0} "Axis of hinge b in the bearing";
    parameter Position r_a[3] = zeros(3) "From the bearing to hinge a";
    parameter Position r_b[3] = zeros(3) "From the bearing to hinge b";
    Revolute actuatedRevolute_a(useAxisFlange = true, n = n_a);
    Revolute actuatedRevolute_b(useAxisFlange = true, n = n_b);
    Rotational.Components.IdealGear idealGear(ratio = ratio);
    Parts.FixedTranslation fixedTranslation1(r = r_b), fixedTranslation2(r = r_a);
    Angle phi_b = actuatedRevolute_b.phi;
    AngularVelocity w_b = actuatedRevolute_b.w;
  equation
    connect(bearing, fixedTranslation2.frame_a);
    connect(bearing, fixedTranslation1.frame_a);
    connect(fixedTranslation2.frame_b, actuatedRevolute_a.frame_a);
    connect(fixedTranslation1.frame_b, actuatedRevolute_b.frame_a);
    connect(actuatedRevolute_a.frame_b, frame_a);
    connect(actuatedRevolute_b.frame_b, frame_b);
    connect(actuatedRevolute_a.axis, idealGear.flange_a);
    connect(idealGear.flange_b, actuatedRevolute_b.axis);
    annotation(Documentation(info = "<html><p>The bearing feels the torques of both hinges, as the housing of a gear does.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-80, 30}, {-20, -30}}), Ellipse(extent = {{-20, 60}, {90, -60}}), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
  end GearConstraint;

  function direction "A vector of length one; zeros where there is none"
    input Real v[3];
    output Real e[3];
  algorithm
    e := if v*v > 0 then v/sqrt(v*v) else zeros(3);
  end direction;

  model UniversalSpherical "A rod between a universal joint at frame_a and a ball at frame_b"
    extends PartialJoint;
    Frame_a frame_ia "Fixed to the rod, at the place of frame_a";
    parameter Boolean computeRodLength = false "The rod is as long as frame_a and frame_b are apart at the start";
    parameter Real n1_a[3] = {0, 0, 1} "Axis 1 of the universal joint, in frame_a; axis 2 is across it and across the rod";
    parameter Position rRod_ia[3] = {1, 0, 0} "From frame_a to frame_b, in frame_ia; with computeRodLength only its direction counts";
    Units.Force f_rod "By which the rod is pressed at the ball";
    final parameter Real eRod_ia[3] = direction(rRod_ia) "Along the rod, in frame_ia";
    final parameter Real e2_ia[3] = direction(cross(n1_a, eRod_ia)) "Along axis 2 of the universal joint, in frame_ia";
    final parameter Real e3_ia[3] = cross(eRod_ia, e2_ia) "Across both, in frame_ia";
    annotation(__Rattleback(component = "Multibody", role = "rod", anchor = "world"),
      Documentation(info = "<html><p>It keeps the distance of the two frames and does nothing else, so it closes a loop by a single equation. What is connected to <code>frame_ia</code> moves
with the rod: a body gives it a mass, a visual part is drawn there. <code>frame_ia</code> and <code>frame_a</code> are parallel when both angles of the universal joint are zero. The joint is singular where the rod lies
along <code>n1_a</code>; <code>SphericalSpherical</code> is not.</p><p>With <code>computeRodLength = true</code> the length follows from where everything else starts.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-40, 6}, {60, -6}}, fillPattern = FillPattern.Solid), Ellipse(extent = {{44, 16}, {76, -16}}, fillPattern = FillPattern.Solid), Line(points = {{-60, 40}, {-60, -40}}), Line(points = {{-80, 0}, {-40, 0}})}));
  end UniversalSpherical;

  model SphericalSpherical "A rod between two balls"
    extends PartialJoint;
    parameter Boolean computeRodLength = false "The rod is as long as frame_a and frame_b are apart at the start";
    parameter Length rodLength(start = 1) = 1 "Of the rod; not used with computeRodLength";
    parameter Mass m(min = 0) = 0 "Of the rod: a point in its middle";
    Units.Force f_rod "By which the rod is pressed at frame_a";
    annotation(__Rattleback(component = "Multibody", role = "rod", anchor = "world"),
      Documentation(info = "<html><p>It keeps the distance of the two frames, by one equation. With <code>computeRodLength = true</code> the length follows from where everything else starts.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-60, 6}, {60, -6}}, fillPattern = FillPattern.Solid), Ellipse(extent = {{-76, 16}, {-44, -16}}, fillPattern = FillPattern.Solid), Ellipse(extent = {{44, 16}, {76, -16}}, fillPattern = FillPattern.Solid)}));
  end SphericalSpherical;

  package Constraints "What two frames that move anyway may not do against each other"
    partial model PartialConstraint "Directions of frame_a along which frame_b does not move"
      extends PartialJoint;
      parameter Boolean x_locked = true "The origin of frame_b does not move along x of frame_a";
      parameter Boolean y_locked = true "The origin of frame_b does not move along y of frame_a";
      parameter Boolean z_locked = true "The origin of frame_b does not move along z of frame_a";
      annotation(__Rattleback(component = "Multibody", role = "constraint", anchor = "world"),
        Icon(graphics = {Line(points = {{-90, -70}, {-25, 30}, {25, -30}, {90, 70}})}));
    end PartialConstraint;

    model Spherical "frame_b turns in any way"
      extends PartialConstraint;
      final parameter Integer turns = 0;
      annotation(Documentation(info = "<html><p>A constraint carries nothing and has no coordinates: both frames need other ways to the world (joints, or free motion), and the constraint takes away some of what these allow. It acts at the origin of
<code>frame_b</code>, along the axes of <code>frame_a</code> that are locked.</p></html>"),
        Icon(graphics = {Ellipse(extent = {{-40, 40}, {40, -40}})}));
    end Spherical;

    model Universal "frame_b turns about n_a, which is fixed in frame_a, and n_b, which is fixed in frame_b"
      extends PartialConstraint;
      parameter Real n_a[3] = {1, 0, 0} "Axis that is fixed in frame_a";
      parameter Real n_b[3] = {0, 1, 0} "Axis that is fixed in frame_b, across n_a";
      final parameter Integer turns = 1;
      annotation(Documentation(info = "<html><p>See <code>Constraints.Spherical</code>. The two axes stay perpendicular to each other.</p></html>"),
        Icon(graphics = {Line(points = {{0, 50}, {0, -50}}), Line(points = {{-50, 0}, {50, 0}})}));
    end Universal;

    model Revolute "frame_b turns about n"
      extends PartialConstraint;
      parameter Real n[3] = {0, 1, 0} "Axis, the same in both frames";
      final parameter Integer turns = 2;
      annotation(Documentation(info = "<html><p>See <code>Constraints.Spherical</code>.</p></html>"),
        Icon(graphics = {Rectangle(extent = {{-30, 11}, {30, -10}})}));
    end Revolute;

    model Prismatic "frame_b does not turn"
      extends PartialConstraint;
      final parameter Integer turns = 3;
      annotation(Documentation(info = "<html><p>See <code>Constraints.Spherical</code>. Where an axis is not locked, <code>frame_b</code> slides along it.</p></html>"),
        Icon(graphics = {Rectangle(extent = {{-30, 30}, {100, -30}})}));
    end Prismatic;
  end Constraints;

  model RollingWheel "A wheel that rolls on the plane z = 0 of the world without slipping"
    outer World world;
    Frame_a frame_a "In the centre of the wheel; y is its axis";
    parameter Length radius(start = 0.3);
    Position x(start = 0) "Of the centre";
    Position y(start = 0) "Of the centre";
    Angle angles[3](start = zeros(3), each fixed = true) "About z, y and x, one after the other";
    AngularVelocity der_angles[3](start = zeros(3)) "Their rates";
    AngularVelocity spin[3] "Angular velocity of the wheel, in the axes of the world";
    Units.Force f_n "Of the ground on the wheel, upwards";
    Units.Force f_lat "Of the ground on the wheel, along its axis";
    Units.Force f_long "Of the ground on the wheel, in the direction in which it rolls";
  protected
    AngularVelocity along "Of the spin along the axis x after the turn about z";
  equation
    der(angles) = der_angles;
    along = cos(angles[1])*spin[1] + sin(angles[1])*spin[2];
    der_angles = {spin[3] + sin(angles[2])*der_angles[3], cos(angles[1])*spin[2] - sin(angles[1])*spin[1], along/cos(angles[2])};
    annotation(__Rattleback(component = "Multibody", role = "wheel", anchor = "world"),
      Documentation(info = "<html><p>The point of the wheel that touches the ground is at rest: one equation for its height, which also keeps the wheel on the ground, and two for its velocity that hold for no position (a wheel may reach any place
in any direction). It starts on the ground, rolling: <code>x</code>, <code>y</code>, <code>angles</code> and <code>der_angles</code> say where and how. A wheel that tips over ends the run where it lies flat. One that is upright but for rounding passes the pole of these angles
(<code>angles[2]</code> a quarter of a turn) on one side or the other: all three may change by pi there, so that they always say how the wheel is turned, but over many turns not how often; the integral of <code>spin</code> along the axis does. Its mass is what is connected to <code>frame_a</code>; gravity should point along -z
(<code>World(n = {0, 0, -1})</code>).</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-100, -80}, {100, -100}}, fillPattern = FillPattern.Solid), Ellipse(extent = {{-80, 80}, {80, -80}}), Text(extent = {{-150, 120}, {150, 80}}, textString = "%name")}));
  end RollingWheel;

  model RollingConstraint "The wheel of a cart rolls on the plane z = 0 of the world: it is upright, and something else keeps its height"
    outer World world;
    Frame_a frame_a "In the centre of the wheel; y is its axis";
    parameter Length radius(start = 0.3);
    parameter Boolean lateralSlidingConstraint = true "It does not slip along its axis, either; of two wheels on one axle only one needs to say so";
    Units.Force f_lat "Of the ground on the wheel, along its axis";
    Units.Force f_long "Of the ground on the wheel, in the direction in which it rolls";
    annotation(__Rattleback(component = "Multibody", role = "wheel", anchor = "world"),
      Documentation(info = "<html><p>Two equations for the velocity of the point that touches the ground.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-100, -80}, {100, -100}}, fillPattern = FillPattern.Solid), Ellipse(extent = {{-80, 80}, {80, -80}}), Text(extent = {{-150, 120}, {150, 80}}, textString = "%name")}));
  end RollingConstraint;
end Joints;
