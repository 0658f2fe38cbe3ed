within Rattleback;
package MultiBody "Parts of Modelica.Mechanics.MultiBody that are run by the engine, where they differ from the parts of Rattleback"
  // Found by their names, see docs/decisions/multibody-engine.md. What is not here is taken from Rattleback.Joints, Parts, Forces, Sensors.
  import Rattleback.Units.*;

  model World "Gravity as in the standard library; nothing collides"
    extends Rattleback.World(g = 9.80665, contact = false);
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
    parameter Real defaultWidthFraction = 20;
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

    model FreeMotion "With start values as in the standard library"
      extends Rattleback.Joints.FreeMotion;
      Position r_rel_a[3](each start = 0) "Of frame_b, in the axes of frame_a";
      Velocity v_rel_a[3](each start = 0);
    end FreeMotion;
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

    model BodyShape "Body between two frames; only its mass counts"
      extends Rattleback.Parts.BodyShape(final shape = Shapes.None());
      final parameter Integer publish = 2 "body.w_a and body.frame_a.r_0 are results";
    end BodyShape;

    model BodyBox "Mass from the density"
      extends Rattleback.Parts.BodyBox(width = length/20);
      final parameter Integer publish = 2;
    end BodyBox;

    model BodyCylinder "Mass from the density"
      extends Rattleback.Parts.BodyCylinder(diameter = length/20);
      final parameter Integer publish = 2;
    end BodyCylinder;
  end Parts;

  package Visualizers "Nothing is drawn: the engine draws its parts"
    partial model Unseen "A frame"
      outer Rattleback.World world;
      Rattleback.Interfaces.Frame_a frame_a;
      parameter Shapes.Shape shape = Shapes.None();
      annotation(__Rattleback(component = "Multibody", role = "visual", anchor = "world"));
    end Unseen;
    model FixedShape "Not drawn"
      extends Unseen;
      Rattleback.Interfaces.Frame_b frame_b;
    equation
      connect(frame_a, frame_b);
    end FixedShape;
    model FixedShape2 "Not drawn"
      extends FixedShape;
    end FixedShape2;
    model FixedFrame "Not drawn"
      extends Unseen;
    end FixedFrame;
    model FixedArrow "Not drawn"
      extends Unseen;
    end FixedArrow;
  end Visualizers;
end MultiBody;
