within Rattleback;
package MultiBody "Parts of Modelica.Mechanics.MultiBody that are run by the engine, where they differ from the parts of Rattleback"
  // Found by their names, see docs/decisions/multibody-engine.md. What is not here is taken from Rattleback.Joints, Parts, Forces, Sensors.
  import Rattleback.Units.*;

  model World "Gravity as in the standard library; nothing collides"
    extends Rattleback.World(g = 9.80665, contact = false, defaultWidthFraction = 20);
    parameter Boolean enableAnimation = false;
    parameter Boolean driveTrainMechanics3D = true;
    parameter Length nominalLength = 1;
    parameter Length axisLength = nominalLength/2;
    parameter Length defaultAxisLength = nominalLength/5;
    parameter Length defaultJointLength = nominalLength/10;
    parameter Length defaultJointWidth = nominalLength/20;
    parameter Length defaultForceLength = nominalLength/10;
    parameter Length defaultForceWidth = nominalLength/20;
    parameter Length defaultBodyDiameter = nominalLength/9;
    parameter Length defaultArrowDiameter = nominalLength/40;
    parameter Real defaultFrameDiameterFraction = 40;
    parameter Real defaultSpecularCoefficient = 0.7;
    parameter Real defaultN_to_m(unit = "N/m") = 1000;
    parameter Real defaultNm_to_m(unit = "N.m/m") = 1000;
  end World;

  package Interfaces "Connectors"
    connector Frame = Rattleback.Interfaces.Frame;
    connector Frame_a = Rattleback.Interfaces.Frame_a;
    connector Frame_b = Rattleback.Interfaces.Frame_b;
    connector Frame_resolve = Rattleback.Interfaces.Frame_resolve;
    partial function partialGravityAcceleration = Rattleback.Interfaces.partialGravityAcceleration;
  end Interfaces;

  package Types "Choices"
    type GravityTypes = Rattleback.World.GravityType;
    type ResolveInFrameA = Rattleback.Types.ResolveInFrame;
    type ResolveInFrameB = Rattleback.Types.ResolveInFrame;
    type ResolveInFrameAB = Rattleback.Types.ResolveInFrame;
    type RotationTypes = enumeration(RotationAxis "About an axis", TwoAxesVectors "By two axes", PlanarRotationSequence "By three angles");
  end Types;

  function cardan "Angles about x, y, z of a frame whose axes are the columns"
    input Real R[3, 3];
    output Angle angles[3];
  algorithm
    if abs(R[1, 3]) < 1 - 1e-14 then
      angles := {atan2(-R[2, 3], R[3, 3]), asin(R[1, 3]), atan2(-R[1, 2], R[1, 1])};
    else
      angles := {atan2(R[3, 2], R[2, 2]), if R[1, 3] > 0 then pi/2 else -pi/2, 0};
    end if;
  end cardan;

  function turnedAbout "Rotation about an axis"
    input Real n[3];
    input Angle angle;
    output Real R[3, 3];
  protected
    Real e[3] = n/sqrt(n*n);
  algorithm
    R := [e]*transpose([e]) + (identity(3) - [e]*transpose([e]))*cos(angle) + [0, -e[3], e[2]; e[3], 0, -e[1]; -e[2], e[1], 0]*sin(angle);
  end turnedAbout;

  function turnedInSequence "Rotations about axes 1, 2, 3 of the turned frame, one after the other"
    input Integer sequence[3];
    input Angle angles[3];
    output Real R[3, 3];
  algorithm
    R := identity(3);
    for i in 1:3 loop
      R := R*turnedAbout({if sequence[i] == k then 1 else 0 for k in 1:3}, angles[i]);
    end for;
  end turnedInSequence;

  function twoAxes "x along the first vector, y in the plane of both"
    input Real n_x[3];
    input Real n_y[3];
    output Real R[3, 3];
  protected
    Real x[3] = n_x/sqrt(n_x*n_x);
    Real across[3] = {x[2]*n_y[3] - x[3]*n_y[2], x[3]*n_y[1] - x[1]*n_y[3], x[1]*n_y[2] - x[2]*n_y[1]};
    Real z[3] = across/sqrt(across*across);
    Real y[3] = {z[2]*x[3] - z[3]*x[2], z[3]*x[1] - z[1]*x[3], z[1]*x[2] - z[2]*x[1]};
  algorithm
    R := [x, y, z];
  end twoAxes;

  package Joints "Joints"
    model RevolutePlanarLoopConstraint "In a planar loop; the engine finds out itself what repeats"
      extends Rattleback.Joints.Revolute;
    end RevolutePlanarLoopConstraint;

    model FreeMotionScalarInit "With start values that are said one by one"
      outer Rattleback.World world;
      Rattleback.Interfaces.Frame_a frame_a;
      Rattleback.Interfaces.Frame_b frame_b;
      parameter Boolean use_r = false annotation(Evaluate = true);
      parameter Boolean use_v = false annotation(Evaluate = true);
      parameter Boolean use_angle = false annotation(Evaluate = true);
      parameter Boolean use_angle_d = false annotation(Evaluate = true);
      parameter Boolean use_w = false annotation(Evaluate = true);
      parameter Integer sequence_start[3] = {1, 2, 3};
      Position r_rel_a_1(start = 0) if use_r;
      Position r_rel_a_2(start = 0) if use_r;
      Position r_rel_a_3(start = 0) if use_r;
      Velocity v_rel_a_1(start = 0) if use_r and use_v;
      Velocity v_rel_a_2(start = 0) if use_r and use_v;
      Velocity v_rel_a_3(start = 0) if use_r and use_v;
      Angle angle_1(start = 0) if use_angle;
      Angle angle_2(start = 0) if use_angle;
      Angle angle_3(start = 0) if use_angle;
      AngularVelocity angle_d_1(start = 0) if use_angle and use_angle_d;
      AngularVelocity angle_d_2(start = 0) if use_angle and use_angle_d;
      AngularVelocity angle_d_3(start = 0) if use_angle and use_angle_d;
      AngularVelocity w_rel_b_1(start = 0) if use_w;
      AngularVelocity w_rel_b_2(start = 0) if use_w;
      AngularVelocity w_rel_b_3(start = 0) if use_w;
      annotation(__Rattleback(component = "Multibody", role = "free", anchor = "world"));
    end FreeMotionScalarInit;

    package Internal "What joints are made of"
      model RollingConstraintVerticalWheel = Rattleback.Joints.RollingConstraint;
      model SlidingEnd "A prismatic joint of an assembly"
        extends Rattleback.Joints.Prismatic(useAxisFlange = true);
        parameter Position s_offset = 0;
        Position distance = s + s_offset;
      end SlidingEnd;
    end Internal;

    package Assemblies "Joints in a row that close a loop: the engine closes it as any other"
      partial model PartialSlider "A rod, and a prismatic joint at frame_b"
        outer Rattleback.World world;
        Rattleback.Interfaces.Frame_a frame_a;
        Rattleback.Interfaces.Frame_b frame_b;
        Rattleback.Interfaces.Frame_b frame_ib "Moves with the prismatic joint";
        Rattleback.Interfaces.Frame_b frame_im "At the ball of the rod, parallel to frame_ib";
        Translational.Interfaces.Flange_a axis;
        Translational.Interfaces.Flange_b bearing;
        parameter Real n_b[3] = {-1, 0, 0};
        parameter Position rRod2_ib[3] = {-1, 0, 0};
        parameter Position s_offset = 0;
        parameter Position s_guess = 0;
        Internal.SlidingEnd prismatic(n = n_b, s_offset = s_offset, s(start = s_guess));
        Rattleback.Parts.FixedTranslation offset(r = n_b/sqrt(n_b*n_b)*s_offset), rod2(r = rRod2_ib);
      equation
        connect(frame_b, prismatic.frame_a);
        connect(prismatic.frame_b, offset.frame_a);
        connect(offset.frame_b, frame_ib);
        connect(frame_ib, rod2.frame_a);
        connect(rod2.frame_b, frame_im);
        connect(prismatic.axis, axis);
        connect(prismatic.support, bearing);
      end PartialSlider;

      model JointUSP "Universal, spherical, prismatic"
        extends PartialSlider;
        Rattleback.Interfaces.Frame_a frame_ia "Fixed to the rod at frame_a";
        parameter Real n1_a[3] = {0, 0, 1};
        parameter Position rRod1_ia[3] = {1, 0, 0};
        Rattleback.Joints.UniversalSpherical rod1(n1_a = n1_a, rRod_ia = rRod1_ia);
      equation
        connect(frame_a, rod1.frame_a);
        connect(rod1.frame_ia, frame_ia);
        connect(rod1.frame_b, frame_im);
      end JointUSP;

      model JointRRP "Revolute, revolute, prismatic, in a plane"
        extends PartialSlider;
        Rattleback.Interfaces.Frame_a frame_ia "Fixed to the rod at frame_a";
        parameter Real n_a[3] = {0, 0, 1};
        parameter Position rRod1_ia[3] = {1, 0, 0};
        Rattleback.Joints.UniversalSpherical rod1(n1_a = n_a, rRod_ia = rRod1_ia);
      equation
        connect(frame_a, rod1.frame_a);
        connect(rod1.frame_ia, frame_ia);
        connect(rod1.frame_b, frame_im);
      end JointRRP;

      model JointSSP "Spherical, spherical, prismatic"
        extends PartialSlider(n_b = {0, 0, 1}, rRod2_ib = {1, 0, 0});
        parameter Length rod1Length = 1;
        parameter Mass rod1Mass = 0;
        Rattleback.Joints.SphericalSpherical rod1(rodLength = rod1Length, m = rod1Mass);
      equation
        connect(frame_a, rod1.frame_a);
        connect(rod1.frame_b, frame_im);
      end JointSSP;
    end Assemblies;
  end Joints;

  package Parts "Parts"
    model FixedRotation "With the choices of the standard library; angles in degrees"
      outer Rattleback.World world;
      Rattleback.Interfaces.Frame_a frame_a;
      Rattleback.Interfaces.Frame_b frame_b;
      parameter Position r[3] = zeros(3);
      parameter Types.RotationTypes rotationType = Types.RotationTypes.RotationAxis;
      parameter Real n[3] = {1, 0, 0};
      parameter Real angle(unit = "deg") = 0;
      parameter Real n_x[3] = {1, 0, 0};
      parameter Real n_y[3] = {0, 1, 0};
      parameter Integer sequence[3] = {1, 2, 3};
      parameter Real angles[3](each unit = "deg") = zeros(3);
      Rattleback.Parts.FixedRotation rotation(r = r, angles = cardan(
        if rotationType == Types.RotationTypes.RotationAxis then turnedAbout(n, angle*(pi/180))
        elseif rotationType == Types.RotationTypes.TwoAxesVectors then twoAxes(n_x, n_y)
        else turnedInSequence(sequence, angles*(pi/180))));
    equation
      connect(frame_a, rotation.frame_a);
      connect(rotation.frame_b, frame_b);
    end FixedRotation;

    model Body "With what the standard library shows of it"
      extends Rattleback.Parts.Body;
      final parameter Integer publish = 1 "w_a and frame_a.r_0 are results";
    end Body;

    model PointMass "A body without inertia"
      extends Rattleback.Parts.PointMass;
      final parameter Integer publish = 1;
    end PointMass;

    function shapeOf "The shape of a name of the standard library, which reaches from its origin along x by its length; none where it has no size, or only looks like something"
      input String shapeType;
      input Length length;
      input Length width;
      input Length height;
      input Real extra;
      output Shapes.Shape shape;
    algorithm
      if not (length > 0 and width > 0 and height > 0) then
        shape := Shapes.None();
      elseif shapeType == "box" then
        shape := Shapes.Box(length, width, height);
      elseif shapeType == "sphere" then
        shape := Shapes.Ellipsoid(length, width, height);
      elseif shapeType == "cylinder" or shapeType == "pipe" or shapeType == "pipecylinder" then
        shape := Shapes.Cylinder(width, length, 1);
      elseif shapeType == "cone" then
        shape := Shapes.Cone(width, length, 1, width*extra);
      elseif shapeType == "beam" then
        shape := Shapes.Beam(length, width, height);
      else
        shape := Shapes.None();
      end if;
    end shapeOf;

    model BodyShape "Body between two frames; it collides where contact of the world is switched on"
      extends Rattleback.Parts.BodyShape(final collidable = shape.kind > 0, final shape = shapeOf(shapeType, length, width, height, extra),
        final angles_shape = if length > 0 then Rattleback.Parts.directions(lengthDirection, widthDirection) else zeros(3));
      parameter String shapeType = "cylinder";
      parameter Real lengthDirection[3] = r - r_shape;
      parameter Real widthDirection[3] = {0, 1, 0};
      parameter Length length = sqrt((r - r_shape)*(r - r_shape));
      parameter Length width = length/world.defaultWidthFraction;
      parameter Length height = width;
      parameter Real extra = 0;
      final parameter Position r_middle[3] = r_shape + (if length > 0 and shapeType <> "cone" then lengthDirection/sqrt(lengthDirection*lengthDirection)*length/2 else zeros(3)) "Where the frame of the shape is";
      final parameter Integer publish = 2 "body.w_a and body.frame_a.r_0 are results";
    end BodyShape;

    model BodyBox "Mass from the density"
      extends Rattleback.Parts.BodyBox(final collidable = true);
      final parameter Integer publish = 2;
    end BodyBox;

    model BodyCylinder "Mass from the density"
      extends Rattleback.Parts.BodyCylinder(final collidable = true);
      final parameter Integer publish = 2;
    end BodyCylinder;
    model Mounting1D "As in the standard library: without world.driveTrainMechanics3D it is held by nothing; the torque has the length of n"
      outer Rattleback.MultiBody.World world;
      Rattleback.Interfaces.Frame_a frame_a if world.driveTrainMechanics3D;
      Rotational.Interfaces.Flange_b flange_b;
      parameter Angle phi0 = 0;
      parameter Real n[3] = {1, 0, 0};
      Rattleback.Parts.Mounting1D housing(phi0 = phi0, n = n, e = n) if world.driveTrainMechanics3D;
      Rotational.Components.Fixed fixed(phi0 = phi0) if not world.driveTrainMechanics3D;
    equation
      connect(frame_a, housing.frame_a);
      connect(flange_b, housing.flange_b);
      connect(flange_b, fixed.flange);
    end Mounting1D;

    model BevelGear1D "As in the standard library: without world.driveTrainMechanics3D it is held by nothing"
      outer Rattleback.MultiBody.World world;
      Rattleback.Interfaces.Frame_a frame_a if world.driveTrainMechanics3D;
      Rotational.Interfaces.Flange_a flange_a;
      Rotational.Interfaces.Flange_b flange_b;
      parameter Real ratio = 1;
      parameter Real n_a[3] = {1, 0, 0};
      parameter Real n_b[3] = {1, 0, 0};
      Rattleback.Parts.BevelGear1D gear(ratio = ratio, n_a = n_a, n_b = n_b) if world.driveTrainMechanics3D;
      Rotational.Components.IdealGear shafts(ratio = ratio) if not world.driveTrainMechanics3D;
    equation
      connect(frame_a, gear.frame_a);
      connect(flange_a, gear.flange_a);
      connect(gear.flange_b, flange_b);
      connect(flange_a, shafts.flange_a);
      connect(shafts.flange_b, flange_b);
    end BevelGear1D;

    model Rotor1D "As in the standard library: without world.driveTrainMechanics3D it is carried by nothing"
      outer Rattleback.MultiBody.World world;
      Rattleback.Interfaces.Frame_a frame_a if world.driveTrainMechanics3D;
      Rotational.Interfaces.Flange_a flange_a;
      Rotational.Interfaces.Flange_b flange_b;
      parameter Inertia J(min = 0) = 1;
      parameter Real n[3] = {1, 0, 0};
      parameter Boolean exact = true annotation(Evaluate = true);
      Angle phi(start = 0) = flange_a.phi;
      AngularVelocity w(start = 0) = der(phi);
      AngularAcceleration a(start = 0) = der(w);
      Rattleback.Parts.Rotor1D rotorWith3DEffects(J = J, n = n, exact = exact) if world.driveTrainMechanics3D;
      Rotational.Components.Inertia inertia(J = J) if not world.driveTrainMechanics3D;
    equation
      connect(frame_a, rotorWith3DEffects.frame_a);
      connect(flange_a, rotorWith3DEffects.flange_a);
      connect(rotorWith3DEffects.flange_b, flange_b);
      connect(flange_a, inertia.flange_a);
      connect(inertia.flange_b, flange_b);
    end Rotor1D;
  end Parts;

  package Sensors "With the axes of the standard library"
    import Rattleback.Types.ResolveInFrame;

    model AbsolutePosition "In the axes of frame_a"
      extends Rattleback.Sensors.AbsolutePosition(resolveInFrame = ResolveInFrame.frame_a);
    end AbsolutePosition;
    model AbsoluteVelocity "In the axes of frame_a"
      extends Rattleback.Sensors.AbsoluteVelocity(resolveInFrame = ResolveInFrame.frame_a);
    end AbsoluteVelocity;
    model AbsoluteAngularVelocity "In the axes of frame_a"
      extends Rattleback.Sensors.AbsoluteAngularVelocity(resolveInFrame = ResolveInFrame.frame_a);
    end AbsoluteAngularVelocity;

    function between "Angle about e that turns v2 into v1"
      input Real e[3];
      input Real v1[3];
      input Real v2[3];
      output Angle angle = atan2(-cross(e, v1)*v2, v1*v2 - (e*v1)*(e*v2));
    algorithm
    end between;

    function inSequence "Angles about other axes than x, y, z that turn alike; of two solutions the one whose first angle is nearer to a guess"
      input Angle angles[3] "About x, y, z, one after the other";
      input Integer sequence[3];
      input Angle guess;
      output Angle y[3];
    protected
      Real R[3, 3] = turnedInSequence({1, 2, 3}, angles);
      Real e1[3] = {if sequence[1] == k then 1 else 0 for k in 1:3};
      Real e2[3] = {if sequence[2] == k then 1 else 0 for k in 1:3};
      Real e3[3] = {if sequence[3] == k then 1 else 0 for k in 1:3};
      Real axis[3] = R[:, sequence[3]] "The last one before all rotations";
      Real a = e2*axis;
      Real b = cross(e1, e2)*axis;
      Angle one;
      Angle two;
    algorithm
      if abs(a) <= 1e-12 and abs(b) <= 1e-12 then
        y[1] := guess;
      else
        one := atan2(a, -b);
        two := atan2(-a, b);
        y[1] := if abs(one - guess) <= abs(two - guess) then one else two;
      end if;
      y[2] := between(e2, transpose(turnedAbout(e1, y[1]))*axis, e3);
      y[3] := between(e3, e2, transpose(R)*(turnedAbout(e1, y[1])*e2));
    end inSequence;

    model AbsoluteAngles "About the axes of a sequence; the first is near guessAngle1"
      outer Rattleback.World world;
      Rattleback.Interfaces.Frame_a frame_a;
      parameter Integer sequence[3] = {1, 2, 3} annotation(Evaluate = true);
      parameter Angle guessAngle1 = 0;
      Blocks.Interfaces.RealOutput angles[3](each unit = "rad") = inSequence(turned.angles, sequence, guessAngle1);
    protected
      Rattleback.Sensors.AbsoluteAngles turned;
    equation
      connect(frame_a, turned.frame_a);
    end AbsoluteAngles;

    model RelativeAngles "About the axes of a sequence; the first is near guessAngle1"
      outer Rattleback.World world;
      Rattleback.Interfaces.Frame_a frame_a;
      Rattleback.Interfaces.Frame_b frame_b;
      parameter Integer sequence[3] = {1, 2, 3} annotation(Evaluate = true);
      parameter Angle guessAngle1 = 0;
      Blocks.Interfaces.RealOutput angles[3](each unit = "rad") = inSequence(turned.angles, sequence, guessAngle1);
    protected
      Rattleback.Sensors.RelativeAngles turned;
    equation
      connect(frame_a, turned.frame_a);
      connect(frame_b, turned.frame_b);
    end RelativeAngles;

    model RelativeVelocity = Rattleback.Sensors.RelativeVelocity;

    model AbsoluteSensor "Everything about one frame"
      outer Rattleback.World world;
      Rattleback.Interfaces.Frame_a frame_a;
      Rattleback.Interfaces.Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
      parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_a annotation(Evaluate = true);
      parameter Integer sequence[3] = {1, 2, 3} annotation(Evaluate = true);
      parameter Angle guessAngle1 = 0;
      parameter Boolean get_r = true, get_v = false, get_a = false, get_w = false, get_z = false, get_angles = false annotation(Evaluate = true);
      Blocks.Interfaces.RealOutput r[3](each unit = "m") if get_r;
      Blocks.Interfaces.RealOutput v[3](each unit = "m/s") if get_v;
      Blocks.Interfaces.RealOutput a[3](each unit = "m/s2") if get_a;
      Blocks.Interfaces.RealOutput angles[3](each unit = "rad") if get_angles;
      Blocks.Interfaces.RealOutput w[3](each unit = "rad/s") if get_w;
      Blocks.Interfaces.RealOutput z[3](each unit = "rad/s2") if get_z;
    protected
      Rattleback.Sensors.AbsolutePosition position(resolveInFrame = resolveInFrame) if get_r;
      Rattleback.Sensors.AbsoluteVelocity velocity(resolveInFrame = resolveInFrame) if get_v;
      Rattleback.Sensors.AbsoluteAcceleration acceleration(resolveInFrame = resolveInFrame) if get_a;
      AbsoluteAngles turned(sequence = sequence, guessAngle1 = guessAngle1) if get_angles;
      Rattleback.Sensors.AbsoluteAngularVelocity turning(resolveInFrame = resolveInFrame) if get_w;
      Rattleback.Sensors.AbsoluteAngularAcceleration change(resolveInFrame = resolveInFrame) if get_z;
    equation
      connect(frame_a, position.frame_a);
      connect(frame_a, velocity.frame_a);
      connect(frame_a, acceleration.frame_a);
      connect(frame_a, turned.frame_a);
      connect(frame_a, turning.frame_a);
      connect(frame_a, change.frame_a);
      connect(frame_resolve, position.frame_resolve);
      connect(frame_resolve, velocity.frame_resolve);
      connect(frame_resolve, acceleration.frame_resolve);
      connect(frame_resolve, turning.frame_resolve);
      connect(frame_resolve, change.frame_resolve);
      connect(position.r, r);
      connect(velocity.v, v);
      connect(acceleration.a, a);
      connect(turned.angles, angles);
      connect(turning.w, w);
      connect(change.z, z);
    end AbsoluteSensor;

    model RelativeSensor "Everything about one frame against another; derivatives are as they are seen from the frame whose axes are used"
      outer Rattleback.World world;
      Rattleback.Interfaces.Frame_a frame_a;
      Rattleback.Interfaces.Frame_b frame_b;
      Rattleback.Interfaces.Frame_resolve frame_resolve if resolveInFrame == ResolveInFrame.frame_resolve;
      parameter ResolveInFrame resolveInFrame = ResolveInFrame.frame_a annotation(Evaluate = true);
      parameter Integer sequence[3] = {1, 2, 3} annotation(Evaluate = true);
      parameter Angle guessAngle1 = 0;
      parameter Boolean get_r_rel = true, get_v_rel = false, get_a_rel = false, get_w_rel = false, get_z_rel = false, get_angles = false annotation(Evaluate = true);
      Blocks.Interfaces.RealOutput r_rel[3](each unit = "m") if get_r_rel;
      Blocks.Interfaces.RealOutput v_rel[3](each unit = "m/s") if get_v_rel;
      Blocks.Interfaces.RealOutput a_rel[3](each unit = "m/s2") if get_a_rel;
      Blocks.Interfaces.RealOutput angles[3](each unit = "rad") if get_angles;
      Blocks.Interfaces.RealOutput w_rel[3](each unit = "rad/s") if get_w_rel;
      Blocks.Interfaces.RealOutput z_rel[3](each unit = "rad/s2") if get_z_rel;
    protected
      Rattleback.Sensors.RelativePosition position(resolveInFrame = resolveInFrame) if get_r_rel;
      Rattleback.Sensors.RelativeVelocity velocity(resolveInFrame = resolveInFrame, seenFromAxes = true) if get_v_rel;
      Rattleback.Sensors.RelativeAcceleration acceleration(resolveInFrame = resolveInFrame, seenFromAxes = true) if get_a_rel;
      RelativeAngles turned(sequence = sequence, guessAngle1 = guessAngle1) if get_angles;
      Rattleback.Sensors.RelativeAngularVelocity turning(resolveInFrame = resolveInFrame) if get_w_rel;
      Rattleback.Sensors.RelativeAngularAcceleration change(resolveInFrame = resolveInFrame, seenFromAxes = true) if get_z_rel;
    equation
      connect(frame_a, position.frame_a);
      connect(frame_a, velocity.frame_a);
      connect(frame_a, acceleration.frame_a);
      connect(frame_a, turned.frame_a);
      connect(frame_a, turning.frame_a);
      connect(frame_a, change.frame_a);
      connect(frame_b, position.frame_b);
      connect(frame_b, velocity.frame_b);
      connect(frame_b, acceleration.frame_b);
      connect(frame_b, turned.frame_b);
      connect(frame_b, turning.frame_b);
      connect(frame_b, change.frame_b);
      connect(frame_resolve, position.frame_resolve);
      connect(frame_resolve, velocity.frame_resolve);
      connect(frame_resolve, acceleration.frame_resolve);
      connect(frame_resolve, turning.frame_resolve);
      connect(frame_resolve, change.frame_resolve);
      connect(position.r_rel, r_rel);
      connect(velocity.v_rel, v_rel);
      connect(acceleration.a_rel, a_rel);
      connect(turned.angles, angles);
      connect(turning.w_rel, w_rel);
      connect(change.z_rel, z_rel);
    end RelativeSensor;
  end Sensors;

  package Visualizers "Nothing is drawn: the engine draws its parts"
    partial model Unseen "A frame"
      outer Rattleback.World world;
      Rattleback.Interfaces.Frame_a frame_a;
      parameter Shapes.Shape shape = Shapes.None();
      annotation(__Rattleback(component = "Multibody", role = "visual", anchor = "world"));
    end Unseen;
    model FixedShape "Not drawn"
      extends Unseen;
    end FixedShape;
    model FixedShape2 "Not drawn; its second frame is shifted"
      extends Rattleback.Parts.FixedTranslation(r = {1, 0, 0});
    end FixedShape2;
    model FixedFrame "Not drawn"
      extends Unseen;
    end FixedFrame;
    model FixedArrow "Not drawn"
      extends Unseen;
    end FixedArrow;
  end Visualizers;

  // Elements of the classes of the standard library that have no meaning for the engine: what is only drawn, and which variables are states.
  // A modification of any other element that our class lacks is an error, so that nothing is left out unsaid; with =false, only that value is left out.
  annotation(__Rattleback(unused = {
    "World: animateWorld animateGravity animateGround label1 label2 axisDiameter axisShowLabels axisColor_x axisColor_y axisColor_z gravityArrowTail gravityArrowLength gravityArrowDiameter gravityArrowColor gravitySphereDiameter gravitySphereColor groundAxis_u groundLength_u groundLength_v groundColor",
    "Joints.Revolute: animation cylinderLength cylinderDiameter cylinderColor specularCoefficient stateSelect",
    "Joints.RevolutePlanarLoopConstraint: animation cylinderLength cylinderDiameter cylinderColor specularCoefficient",
    "Joints.Prismatic: animation boxWidthDirection boxWidth boxHeight boxColor specularCoefficient stateSelect",
    "Joints.Cylindrical: animation cylinderDiameter cylinderColor specularCoefficient stateSelect",
    "Joints.Universal: animation cylinderLength cylinderDiameter cylinderColor specularCoefficient stateSelect",
    "Joints.Planar: animation cylinderLength cylinderDiameter cylinderColor boxWidth boxHeight boxColor specularCoefficient stateSelect",
    "Joints.Spherical: animation sphereDiameter sphereColor specularCoefficient z_rel_a_fixed=false enforceStates useQuaternions sequence_angleStates",
    "Joints.FreeMotion: animation arrowColor specularCoefficient z_rel_a_fixed=false enforceStates useQuaternions sequence_angleStates",
    "Joints.UniversalSpherical: animation showUniversalAxes sphereDiameter sphereColor rodShapeType rodWidth rodHeight rodExtra rodColor cylinderLength cylinderDiameter cylinderColor specularCoefficient checkTotalPower",
    "Joints.SphericalSpherical: animation showMass sphereDiameter sphereColor rodDiameter rodColor massDiameter massColor specularCoefficient checkTotalPower",
    "Joints.Constraints.PartialConstraint: animation sphereDiameter sphereColor specularCoefficient",
    "Joints.RollingWheel: stateSelect",
    "Joints.FreeMotionScalarInit: animation arrowColor specularCoefficient use_a=false use_angle_dd=false use_z=false r_rel_a_1_stateSelect r_rel_a_2_stateSelect r_rel_a_3_stateSelect v_rel_a_1_stateSelect v_rel_a_2_stateSelect v_rel_a_3_stateSelect angle_1_stateSelect angle_2_stateSelect angle_3_stateSelect angle_d_1_stateSelect angle_d_2_stateSelect angle_d_3_stateSelect w_rel_b_1_stateSelect w_rel_b_2_stateSelect w_rel_b_3_stateSelect",
    "Joints.Assemblies.JointUSP: animation showUniversalAxes boxWidthDirection boxWidth boxHeight sphereDiameter sphereColor rod1Diameter rod1Color rod2Diameter rod2Color cylinderLength cylinderDiameter cylinderColor boxColor specularCoefficient checkTotalPower",
    "Joints.Assemblies.JointRRP: animation cylinderLength cylinderDiameter cylinderColor boxWidthDirection boxWidth boxHeight boxColor rod1Diameter rod1Color rod2Diameter rod2Color specularCoefficient checkTotalPower",
    "Joints.Assemblies.JointSSP: animation showMass sphereDiameter sphereColor rod1Diameter rod1Color rod2Diameter rod2Color boxWidthDirection boxWidth boxHeight boxColor specularCoefficient checkTotalPower",
    "Joints.GearConstraint: stateSelect checkTotalPower",
    "Parts.Fixed: animation shapeType r_shape lengthDirection widthDirection length width height extra color specularCoefficient",
    "Parts.FixedTranslation: animation shapeType r_shape lengthDirection widthDirection length width height extra color specularCoefficient",
    "Parts.FixedRotation: animation shapeType r_shape lengthDirection widthDirection length width height extra color specularCoefficient",
    "Parts.Body: animation z_0_fixed=false sphereDiameter sphereColor cylinderDiameter cylinderColor specularCoefficient enforceStates useQuaternions sequence_angleStates",
    "Parts.BodyShape: animation animateSphere z_0_fixed=false color sphereDiameter sphereColor specularCoefficient enforceStates useQuaternions sequence_angleStates",
    "Parts.BodyBox: animation z_0_fixed=false color specularCoefficient enforceStates useQuaternions sequence_angleStates",
    "Parts.BodyCylinder: animation z_0_fixed=false color specularCoefficient enforceStates useQuaternions sequence_angleStates",
    "Parts.PointMass: animation sphereDiameter sphereColor specularCoefficient stateSelect",
    "Parts.RollingWheel: animation hollowFraction color stateSelect",
    "Parts.RollingWheelSet: animation hollowFraction color stateSelect",
    "Parts.Rotor1D: animation r_center cylinderLength cylinderDiameter cylinderColor specularCoefficient stateSelect",
    "Forces.Spring: animation showMass width coilWidth numberOfWindings color specularCoefficient massDiameter massColor fixedRotationAtFrame_a fixedRotationAtFrame_b",
    "Forces.LineForceWithMass: animateLine animateMass lineShapeType lineShapeWidth lineShapeHeight lineShapeExtra lineShapeColor massDiameter massColor specularCoefficient fixedRotationAtFrame_a fixedRotationAtFrame_b",
    "Forces.LineForceWithTwoMasses: animate animateMasses cylinderDiameter_a cylinderLength_a color_a diameterFraction cylinderLength_b color_b massDiameterFaction massColor specularCoefficient fixedRotationAtFrame_a fixedRotationAtFrame_b",
    "Forces.Damper: animation length_a diameter_a diameter_b color_a color_b specularCoefficient fixedRotationAtFrame_a fixedRotationAtFrame_b",
    "Forces.SpringDamperParallel: animation length_a diameter_a diameter_b color_a color_b specularCoefficient width coilWidth numberOfWindings color fixedRotationAtFrame_a fixedRotationAtFrame_b",
    "Forces.SpringDamperSeries: animation length_a diameter_a diameter_b color_a color_b specularCoefficient width coilWidth numberOfWindings color fixedRotationAtFrame_a fixedRotationAtFrame_b",
    "Forces.WorldForce: animation color specularCoefficient",
    "Forces.WorldTorque: animation color specularCoefficient",
    "Forces.WorldForceAndTorque: animation forceColor torqueColor specularCoefficient",
    "Forces.Force: animation connectionLineDiameter forceColor connectionLineColor specularCoefficient",
    "Forces.Torque: animation connectionLineDiameter torqueColor connectionLineColor specularCoefficient",
    "Forces.ForceAndTorque: animation connectionLineDiameter forceColor torqueColor connectionLineColor specularCoefficient",
    "Sensors.Distance: animation arrowColor specularCoefficient",
    "Sensors.AbsoluteSensor: animation arrowColor specularCoefficient",
    "Sensors.RelativeSensor: animation arrowColor specularCoefficient",
    "Sensors.CutForce: animation forceColor specularCoefficient",
    "Sensors.CutTorque: animation torqueColor specularCoefficient",
    "Sensors.CutForceAndTorque: animation forceColor torqueColor specularCoefficient",
    "Visualizers.FixedShape: animation shapeType r_shape lengthDirection widthDirection length width height extra color specularCoefficient",
    "Visualizers.FixedShape2: animation shapeType r_shape lengthDirection widthDirection length width height extra color specularCoefficient",
    "Visualizers.FixedFrame: animation showLabels length diameter color_x color_y color_z specularCoefficient",
    "Visualizers.FixedArrow: animation r_tail n length color specularCoefficient quantity headAtOrigin"}));
end MultiBody;
