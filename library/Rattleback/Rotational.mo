within Rattleback;
package Rotational "Drive trains: rotation about one axis"
  package Interfaces "Flanges"
    connector Flange_a "Angle and torque into the component"
      Units.Angle phi;
      flow Units.Torque tau;
    end Flange_a;
    connector Flange_b = Flange_a;
    connector Support = Flange_a "Housing";
    model InternalSupport "Flange whose torque is given: to hold a support that may be left out"
      input Units.Torque tau;
      Units.Angle phi;
      Flange_a flange;
    equation
      flange.tau = tau;
      flange.phi = phi;
    end InternalSupport;
    partial model PartialTwoFlanges
      Flange_a flange_a;
      Flange_b flange_b;
    end PartialTwoFlanges;
    partial model PartialCompliant "Torque from the relative angle"
      extends PartialTwoFlanges;
      Units.Angle phi_rel(start = 0) "flange_b.phi - flange_a.phi";
      Units.Torque tau "At flange_b";
    equation
      phi_rel = flange_b.phi - flange_a.phi;
      flange_b.tau = tau;
      flange_a.tau = -tau;
    end PartialCompliant;
    partial model PartialCompliantWithRelativeStates "Torque from relative angle and speed"
      extends PartialCompliant(phi_rel(stateSelect = stateSelect));
      parameter StateSelect stateSelect = StateSelect.prefer;
      Units.AngularVelocity w_rel(start = 0, stateSelect = stateSelect);
      Units.AngularAcceleration a_rel(start = 0);
    equation
      w_rel = der(phi_rel);
      a_rel = der(w_rel);
    end PartialCompliantWithRelativeStates;
  end Interfaces;

  package Components "Inertia, springs, dampers, gears, friction"
    model Fixed "Held at an angle"
      parameter Units.Angle phi0 = 0;
      Interfaces.Flange_b flange;
    equation
      flange.phi = phi0;
    end Fixed;
    model Inertia "Rotating body"
      extends Interfaces.PartialTwoFlanges;
      parameter Units.Inertia J(min = 0, start = 1) = 1;
      parameter StateSelect stateSelect = StateSelect.default;
      Units.Angle phi(stateSelect = stateSelect);
      Units.AngularVelocity w(stateSelect = stateSelect);
      Units.AngularAcceleration a;
    equation
      phi = flange_a.phi;
      phi = flange_b.phi;
      w = der(phi);
      a = der(w);
      J * a = flange_a.tau + flange_b.tau;
    end Inertia;
    model Spring "Torque in proportion to the twist"
      extends Interfaces.PartialCompliant;
      parameter Units.RotationalSpringConstant c(min = 0, start = 1e5) = 1e5;
      parameter Units.Angle phi_rel0 = 0 "Without torque";
    equation
      tau = c * (phi_rel - phi_rel0);
    end Spring;
    model Damper "Torque in proportion to the relative speed"
      extends Interfaces.PartialCompliantWithRelativeStates;
      parameter Units.RotationalDampingConstant d(min = 0, start = 0) = 0;
      Units.Power lossPower = tau * w_rel;
    equation
      tau = d * w_rel;
    end Damper;
    model SpringDamper "Both in parallel"
      extends Interfaces.PartialCompliantWithRelativeStates;
      parameter Units.RotationalSpringConstant c(min = 0, start = 1e5) = 1e5;
      parameter Units.RotationalDampingConstant d(min = 0, start = 0) = 0;
      parameter Units.Angle phi_rel0 = 0;
      Units.Power lossPower = d * w_rel * w_rel;
    equation
      tau = c * (phi_rel - phi_rel0) + d * w_rel;
    end SpringDamper;
    model IdealGear "flange_a turns ratio times as fast as flange_b"
      extends Interfaces.PartialTwoFlanges;
      parameter Real ratio(start = 1) = 1;
      parameter Boolean useSupport = false;
      Interfaces.Support support if useSupport;
    protected
      Fixed fixed if not useSupport;
      Interfaces.InternalSupport internalSupport(tau = -flange_a.tau - flange_b.tau);
    equation
      flange_a.phi - internalSupport.phi = ratio * (flange_b.phi - internalSupport.phi);
      0 = ratio * flange_a.tau + flange_b.tau;
      connect(internalSupport.flange, support);
      connect(internalSupport.flange, fixed.flange);
    end IdealGear;
    model BearingFriction "Dry and viscous friction between the shaft and a fixed housing, with sticking"
      extends Interfaces.PartialTwoFlanges;
      parameter Units.Torque tau_slide(min = 0) = 1 "Dry friction while sliding";
      parameter Real peak(min = 1) = 1 "Torque that breaks loose is peak times tau_slide";
      parameter Units.RotationalDampingConstant d(min = 0) = 0 "Viscous part";
      Units.Angle phi;
      Units.AngularVelocity w;
      Units.AngularAcceleration a;
      Units.Torque tau "Friction torque";
      Integer mode(start = 0, fixed = true) "0 stuck, 1 starts forward, 2 forward, -1 starts backward, -2 backward";
    protected
      Real s "Torque in N.m while stuck, otherwise acceleration in rad/s2";
      constant Units.AngularAcceleration unit_a = 1;
      constant Units.Torque unit_tau = 1;
      constant Units.AngularVelocity w_small = 1e-10 "Sliding for sure";
    equation
      phi = flange_a.phi;
      phi = flange_b.phi;
      w = der(phi);
      a = der(w);
      // The mode before the event decides what s means; otherwise s and mode would choose each other.
      a = if pre(mode) == 0 then 0 else s * unit_a;
      tau = if pre(mode) == 0 then s * unit_tau else (if pre(mode) > 0 then tau_slide else -tau_slide) + d * w;
      flange_a.tau + flange_b.tau - tau = 0;
      mode = if pre(mode) == 0 then (if s > peak * tau_slide / unit_tau then 1 elseif s < -peak * tau_slide / unit_tau then -1 else 0)
        elseif pre(mode) == 1 then (if w > w_small then 2 elseif s < 0 then 0 else 1)
        elseif pre(mode) == -1 then (if w < -w_small then -2 elseif s > 0 then 0 else -1)
        elseif pre(mode) == 2 then (if w > 0 then 2 else 0) else (if w < 0 then -2 else 0);
    end BearingFriction;
  end Components;

  package Sources "Torques and prescribed motion, with respect to a fixed housing"
    model Torque "Torque from a signal"
      Blocks.Interfaces.RealInput tau(unit = "N.m");
      Interfaces.Flange_b flange;
    equation
      flange.tau = -tau;
    end Torque;
    model ConstantTorque
      parameter Units.Torque tau_constant = 1;
      Interfaces.Flange_b flange;
    equation
      flange.tau = -tau_constant;
    end ConstantTorque;
    model ConstantSpeed "Turns at a speed, whatever it takes"
      Interfaces.Flange_b flange;
      parameter Units.AngularVelocity w_fixed = 0;
      Units.Angle phi(start = 0) = flange.phi;
    equation
      der(phi) = w_fixed;
      annotation(Icon(graphics = {Line(points = {{-80, 0}, {80, 0}}), Text(extent = {{-100, 110}, {100, 70}}, textString = "%name")}));
    end ConstantSpeed;
    model Position "Angle from a signal, which must be differentiable twice: a joint refuses to jump"
      Blocks.Interfaces.RealInput phi_ref(unit = "rad");
      Interfaces.Flange_b flange;
    equation
      flange.phi = phi_ref;
    end Position;
    model Speed "Speed from a signal, which must be differentiable"
      Blocks.Interfaces.RealInput w_ref(unit = "rad/s");
      Interfaces.Flange_b flange;
      Units.Angle phi(start = 0, fixed = true);
    equation
      phi = flange.phi;
      der(phi) = w_ref;
    end Speed;
  end Sources;

  package Sensors "Ideal sensors"
    model AngleSensor
      Interfaces.Flange_a flange;
      Blocks.Interfaces.RealOutput phi(unit = "rad");
    equation
      flange.tau = 0;
      phi = flange.phi;
    end AngleSensor;
    model SpeedSensor
      Interfaces.Flange_a flange;
      Blocks.Interfaces.RealOutput w(unit = "rad/s");
    equation
      flange.tau = 0;
      w = der(flange.phi);
    end SpeedSensor;
    model TorqueSensor
      extends Interfaces.PartialTwoFlanges;
      Blocks.Interfaces.RealOutput tau(unit = "N.m");
    equation
      flange_a.phi = flange_b.phi;
      flange_a.tau + flange_b.tau = 0;
      tau = flange_a.tau;
    end TorqueSensor;
  end Sensors;

  // Short names of what is used most.
  model Inertia = Components.Inertia;
  model Spring = Components.Spring;
  model Damper = Components.Damper;
  model SpringDamper = Components.SpringDamper;
  model Fixed = Components.Fixed;
  model IdealGear = Components.IdealGear;
  model Torque = Sources.Torque;
  model Position = Sources.Position;
end Rotational;
