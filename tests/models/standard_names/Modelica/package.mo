package Modelica "The names of the standard library that `--multibody engine` looks for, and no mechanics: as equations nothing moves"
  package Blocks
    package Interfaces
      connector RealInput = input Real;
      connector RealOutput = output Real;
    end Interfaces;
    package Sources
      block Constant
        parameter Real k = 1;
        Interfaces.RealOutput y = k;
      end Constant;
    end Sources;
  end Blocks;

  package Mechanics
    package Rotational
      package Interfaces
        connector Flange
          Real phi(unit = "rad");
          flow Real tau(unit = "N.m");
        end Flange;
        connector Flange_a = Flange;
        connector Flange_b = Flange;
      end Interfaces;
      package Components
        model Damper
          Interfaces.Flange_a flange_a;
          Interfaces.Flange_b flange_b;
          parameter Real d(unit = "N.m.s/rad");
          Real phi_rel = flange_b.phi - flange_a.phi;
        equation
          flange_b.tau = d*der(phi_rel);
          flange_a.tau = -flange_b.tau;
        end Damper;
      end Components;
      package Sources
        model ConstantTorque
          Interfaces.Flange_b flange;
          parameter Real tau_constant(unit = "N.m");
        equation
          flange.tau = -tau_constant;
        end ConstantTorque;
        model Torque2
          Interfaces.Flange_a flange_a;
          Interfaces.Flange_b flange_b;
          Blocks.Interfaces.RealInput tau;
        equation
          flange_a.tau = tau;
          flange_b.tau = -tau;
        end Torque2;
      end Sources;
    end Rotational;

    package MultiBody
      model World
        Interfaces.Frame_b frame_b;
        parameter Types.GravityTypes gravityType = Types.GravityTypes.UniformGravity;
        parameter Real g = 9.80665, n[3] = {0, -1, 0}, mu = 3.986e14, gravitySphereDiameter = 12742000;
        parameter Boolean driveTrainMechanics3D = true, animateWorld = true;
      equation
        frame_b.r_0 = zeros(3);
      end World;

      package Types
        type GravityTypes = enumeration(NoGravity, UniformGravity, PointGravity);
        type ResolveInFrameA = enumeration(world, frame_a, frame_resolve);
        type ResolveInFrameAB = enumeration(world, frame_a, frame_b, frame_resolve);
        type RotationTypes = enumeration(RotationAxis, TwoAxesVectors, PlanarRotationSequence);
      end Types;

      package Interfaces
        connector Frame
          Real r_0[3];
          flow Real f[3];
        end Frame;
        connector Frame_a = Frame;
        connector Frame_b = Frame;
        partial model PartialTwoFrames
          Frame_a frame_a;
          Frame_b frame_b;
        equation
          frame_a.r_0 = frame_b.r_0;
          frame_a.f + frame_b.f = zeros(3);
        end PartialTwoFrames;
        partial model PartialForce
          Frame_a frame_a;
          Frame_b frame_b;
        equation
          frame_a.f = zeros(3);
          frame_b.f = zeros(3);
        end PartialForce;
        partial model PartialEnd
          Frame_a frame_a;
        equation
          frame_a.f = zeros(3);
        end PartialEnd;
      end Interfaces;

      package Joints
        model Revolute
          extends Interfaces.PartialTwoFrames;
          Rotational.Interfaces.Flange_a axis if useAxisFlange;
          Rotational.Interfaces.Flange_b support if useAxisFlange;
          parameter Boolean useAxisFlange = false, animation = true;
          parameter Real n[3] = {0, 0, 1}, cylinderDiameter = 0.1, armLength = 1;
          parameter StateSelect stateSelect = StateSelect.prefer;
          Real phi(start = 0), w(start = 0);
        equation
          der(phi) = 0;
          w = 0;
        end Revolute;
        model RevolutePlanarLoopConstraint
          extends Interfaces.PartialTwoFrames;
          parameter Boolean animation = true;
          parameter Real n[3] = {0, 0, 1};
        end RevolutePlanarLoopConstraint;
        model Prismatic
          extends Interfaces.PartialTwoFrames;
          parameter Boolean useAxisFlange = false, animation = true;
          parameter Real n[3] = {1, 0, 0}, boxWidth = 0.1;
          parameter StateSelect stateSelect = StateSelect.prefer;
          Real s(start = 0), v(start = 0);
        equation
          der(s) = 0;
          v = 0;
        end Prismatic;
        model Cylindrical
          extends Interfaces.PartialTwoFrames;
          parameter Real n[3] = {1, 0, 0};
          Real s(start = 0), v(start = 0), phi(start = 0), w(start = 0);
        equation
          der(s) = 0;
          der(phi) = 0;
          v = 0;
          w = 0;
        end Cylindrical;
        model Planar
          extends Interfaces.PartialTwoFrames;
          parameter Real n[3] = {0, 0, 1}, n_x[3] = {1, 0, 0};
          Real s_x(start = 0), s_y(start = 0), phi(start = 0), v_x(start = 0), v_y(start = 0), w(start = 0);
        equation
          der(s_x) = 0;
          der(s_y) = 0;
          der(phi) = 0;
          v_x = 0;
          v_y = 0;
          w = 0;
        end Planar;
        model Universal
          extends Interfaces.PartialTwoFrames;
          parameter Real n_a[3] = {1, 0, 0}, n_b[3] = {0, 1, 0};
          Real phi_a(start = 0), phi_b(start = 0), w_a(start = 0), w_b(start = 0);
        equation
          der(phi_a) = 0;
          der(phi_b) = 0;
          w_a = 0;
          w_b = 0;
        end Universal;
        model FreeMotion
          extends Interfaces.PartialTwoFrames;
          parameter Boolean animation = true;
          Real r_rel_a[3](each start = 0), v_rel_a[3](each start = 0);
        equation
          der(r_rel_a) = zeros(3);
          v_rel_a = zeros(3);
        end FreeMotion;
        model Assembly "The engine does not know it"
          extends Interfaces.PartialTwoFrames;
        end Assembly;
      end Joints;

      package Parts
        model Fixed
          Interfaces.Frame_b frame_b;
          parameter Real r[3] = zeros(3);
        equation
          frame_b.r_0 = r;
        end Fixed;
        model FixedTranslation
          extends Interfaces.PartialTwoFrames;
          parameter Boolean animation = true;
          parameter Real r[3] = zeros(3), width = 0.1;
        end FixedTranslation;
        model FixedRotation
          extends Interfaces.PartialTwoFrames;
          parameter Types.RotationTypes rotationType = Types.RotationTypes.RotationAxis;
          parameter Real r[3] = zeros(3), n[3] = {1, 0, 0}, angle = 0, n_x[3] = {1, 0, 0}, n_y[3] = {0, 1, 0}, angles[3] = zeros(3);
          parameter Integer sequence[3] = {1, 2, 3};
        end FixedRotation;
        model Body
          extends Interfaces.PartialEnd;
          parameter Boolean animation = true, enforceStates = false;
          parameter Real m = 1, r_CM[3] = zeros(3), I_11 = 0.001, I_22 = 0.001, I_33 = 0.001, I_21 = 0, I_31 = 0, I_32 = 0;
          parameter Real sphereDiameter = 0.1, w_0_start[3] = zeros(3), angles_start[3] = zeros(3);
          Real r_0[3](each start = 0) = frame_a.r_0, v_0[3](each start = 0);
        equation
          v_0 = zeros(3);
        end Body;
        model BodyBox
          extends Interfaces.PartialTwoFrames;
          parameter Real r[3], r_shape[3] = zeros(3), length = 1, width = 0.1, height = 0.1, density = 7700;
          parameter Boolean animation = true;
        end BodyBox;
        model BodyCylinder
          extends Interfaces.PartialTwoFrames;
          parameter Real r[3], length = 1, diameter = 0.1, innerDiameter = 0, density = 7700;
          parameter Boolean animation = true;
          Real r_0[3](each start = 0) = frame_a.r_0;
        end BodyCylinder;
        model BodyShape
          extends Interfaces.PartialTwoFrames;
          parameter Real r[3], r_CM[3], m, I_11 = 0.001, I_22 = 0.001, I_33 = 0.001, I_21 = 0, I_31 = 0, I_32 = 0;
          parameter Boolean animation = true, animateSphere = true;
          parameter String shapeType = "cylinder";
          parameter Real r_shape[3] = zeros(3), lengthDirection[3] = r - r_shape, length = 1, width = 0.1;
          Real r_0[3](each start = 0) = frame_a.r_0;
        end BodyShape;
        model PointMass
          extends Interfaces.PartialEnd;
          parameter Real m, sphereDiameter = 0.1;
        end PointMass;
        model Rotor1D
          Interfaces.Frame_a frame_a;
          Rotational.Interfaces.Flange_a flange_a;
          Rotational.Interfaces.Flange_b flange_b;
          parameter Real J = 1, n[3] = {1, 0, 0}, r_center[3] = zeros(3);
          Real phi(start = 0) = flange_a.phi, w(start = 0) = der(phi);
        equation
          frame_a.f = zeros(3);
          flange_a.phi = flange_b.phi;
          flange_a.tau + flange_b.tau = J*der(w);
        end Rotor1D;
        model Mounting1D
          Interfaces.Frame_a frame_a;
          Rotational.Interfaces.Flange_b flange_b;
          parameter Real phi0 = 0, n[3] = {1, 0, 0};
        equation
          frame_a.f = zeros(3);
          flange_b.phi = phi0;
        end Mounting1D;
      end Parts;

      package Forces
        model WorldForce
          Interfaces.Frame_b frame_b;
          Blocks.Interfaces.RealInput force[3];
          parameter Boolean animation = true;
        equation
          frame_b.f = zeros(3);
        end WorldForce;
        model Spring
          extends Interfaces.PartialForce;
          parameter Real c = 0, s_unstretched = 0, m = 0, coilWidth = 0.01;
          parameter Boolean animation = true, showMass = true;
        end Spring;
        model Damper
          extends Interfaces.PartialForce;
          parameter Real d = 0;
        end Damper;
        model SpringDamperParallel
          extends Interfaces.PartialForce;
          parameter Real c = 0, s_unstretched = 0, d = 0;
        end SpringDamperParallel;
      end Forces;

      package Sensors
        model AbsoluteSensor
          extends Interfaces.PartialEnd;
          parameter Types.ResolveInFrameA resolveInFrame = Types.ResolveInFrameA.frame_a;
          parameter Boolean animation = true, get_r = true, get_v = false, get_a = false, get_w = false, get_z = false, get_angles = false;
        end AbsoluteSensor;
        model RelativeSensor
          extends Interfaces.PartialForce;
          parameter Types.ResolveInFrameAB resolveInFrame = Types.ResolveInFrameAB.frame_a;
          parameter Boolean animation = true, get_r_rel = true, get_v_rel = false, get_a_rel = false, get_w_rel = false, get_z_rel = false, get_angles = false;
        end RelativeSensor;
        model Distance
          extends Interfaces.PartialForce;
          Blocks.Interfaces.RealOutput distance = 0;
          parameter Boolean animation = true;
        end Distance;
        model CutForce
          extends Interfaces.PartialTwoFrames;
          parameter Types.ResolveInFrameA resolveInFrame = Types.ResolveInFrameA.frame_a;
          Blocks.Interfaces.RealOutput force[3] = zeros(3);
          parameter Boolean animation = true;
        end CutForce;
        model CutTorque
          extends Interfaces.PartialTwoFrames;
          parameter Types.ResolveInFrameA resolveInFrame = Types.ResolveInFrameA.frame_a;
          Blocks.Interfaces.RealOutput torque[3] = zeros(3);
          parameter Boolean animation = true;
        end CutTorque;
      end Sensors;
    end MultiBody;
  end Mechanics;
end Modelica;
