within Rattleback;
package Translational "Motion along one line"
  package Interfaces "Flanges"
    connector Flange_a "Position and force into the component"
      Units.Position s;
      flow Units.Force f;
    end Flange_a;
    connector Flange_b = Flange_a;
    model InternalSupport "Flange whose force is given: to hold a support that may be left out"
      input Units.Force f;
      Units.Position s;
      Flange_a flange;
    equation
      flange.f = f;
      flange.s = s;
    end InternalSupport;
    partial model PartialTwoFlanges
      Flange_a flange_a;
      Flange_b flange_b;
    end PartialTwoFlanges;
    partial model PartialCompliant "Force from the distance"
      extends PartialTwoFlanges;
      Units.Position s_rel(start = 0) "flange_b.s - flange_a.s";
      Units.Force f "At flange_b";
    equation
      s_rel = flange_b.s - flange_a.s;
      flange_b.f = f;
      flange_a.f = -f;
    end PartialCompliant;
    partial model PartialCompliantWithRelativeStates "Force from distance and its rate"
      extends PartialCompliant(s_rel(stateSelect = stateSelect));
      parameter StateSelect stateSelect = StateSelect.prefer;
      Units.Velocity v_rel(start = 0, stateSelect = stateSelect);
    equation
      v_rel = der(s_rel);
    end PartialCompliantWithRelativeStates;
  end Interfaces;

  package Components "Mass, springs, dampers, stops, friction"
    model Fixed "Held at a position"
      parameter Units.Position s0 = 0;
      Interfaces.Flange_b flange;
    equation
      flange.s = s0;
    end Fixed;
    model Mass "Sliding body"
      parameter Units.Mass m(start = 1) = 1;
      parameter Units.Length L = 0 "From flange_a to flange_b";
      parameter StateSelect stateSelect = StateSelect.default;
      Interfaces.Flange_a flange_a;
      Interfaces.Flange_b flange_b;
      Units.Position s(stateSelect = stateSelect) "Centre";
      Units.Velocity v(stateSelect = stateSelect);
      Units.Acceleration a;
    equation
      flange_a.s = s - L / 2;
      flange_b.s = s + L / 2;
      v = der(s);
      a = der(v);
      m * a = flange_a.f + flange_b.f;
    end Mass;
    model Spring "Force in proportion to the elongation"
      extends Interfaces.PartialCompliant;
      parameter Units.TranslationalSpringConstant c(min = 0, start = 1) = 1;
      parameter Units.Position s_rel0 = 0 "Without force";
    equation
      f = c * (s_rel - s_rel0);
    end Spring;
    model Damper "Force in proportion to the rate of elongation"
      extends Interfaces.PartialCompliantWithRelativeStates;
      parameter Units.TranslationalDampingConstant d(min = 0, start = 0) = 0;
      Units.Power lossPower = f * v_rel;
    equation
      f = d * v_rel;
    end Damper;
    model SpringDamper "Both in parallel"
      extends Interfaces.PartialCompliantWithRelativeStates;
      parameter Units.TranslationalSpringConstant c(min = 0, start = 1) = 1;
      parameter Units.TranslationalDampingConstant d(min = 0, start = 1) = 1;
      parameter Units.Position s_rel0 = 0;
      Units.Power lossPower = d * v_rel * v_rel;
    equation
      f = c * (s_rel - s_rel0) + d * v_rel;
    end SpringDamper;
    model ElastoGap "Spring and damper that only push"
      extends Interfaces.PartialCompliantWithRelativeStates;
      parameter Units.TranslationalSpringConstant c(min = 0, start = 1) = 1;
      parameter Units.TranslationalDampingConstant d(min = 0, start = 1) = 1;
      parameter Units.Position s_rel0 = 0 "Touches below";
      Boolean contact "Do the flanges touch?";
    equation
      contact = s_rel < s_rel0;
      f = smooth(0, noEvent(if contact then min(0, c * (s_rel - s_rel0) + d * v_rel) else 0));
    end ElastoGap;
    model SupportFriction "Dry and viscous friction against a fixed guide, with sticking"
      extends Interfaces.PartialTwoFlanges;
      parameter Units.Force f_slide(min = 0) = 1 "Dry friction while sliding";
      parameter Real peak(min = 1) = 1 "Force that breaks loose is peak times f_slide";
      parameter Units.TranslationalDampingConstant d(min = 0) = 0 "Viscous part";
      Units.Position s;
      Units.Velocity v;
      Units.Acceleration a;
      Units.Force f "Friction force";
      Integer mode(start = 0, fixed = true) "0 stuck, 1 starts forward, 2 forward, -1 starts backward, -2 backward";
    protected
      Real x "Force in N while stuck, otherwise acceleration in m/s2";
      constant Units.Acceleration unit_a = 1;
      constant Units.Force unit_f = 1;
      constant Units.Velocity v_small = 1e-10 "Sliding for sure";
    equation
      s = flange_a.s;
      s = flange_b.s;
      v = der(s);
      a = der(v);
      // The mode before the event decides what x means; otherwise x and mode would choose each other.
      a = if pre(mode) == 0 then 0 else x * unit_a;
      f = if pre(mode) == 0 then x * unit_f else (if pre(mode) > 0 then f_slide else -f_slide) + d * v;
      flange_a.f + flange_b.f - f = 0;
      mode = if pre(mode) == 0 then (if x > peak * f_slide / unit_f then 1 elseif x < -peak * f_slide / unit_f then -1 else 0)
        elseif pre(mode) == 1 then (if v > v_small then 2 elseif x < 0 then 0 else 1)
        elseif pre(mode) == -1 then (if v < -v_small then -2 elseif x > 0 then 0 else -1)
        elseif pre(mode) == 2 then (if v > 0 then 2 else 0) else (if v < 0 then -2 else 0);
    end SupportFriction;
  end Components;

  package Sources "Forces and prescribed motion, with respect to a fixed support"
    model Force "Force from a signal"
      Blocks.Interfaces.RealInput f(unit = "N");
      Interfaces.Flange_b flange;
    equation
      flange.f = -f;
    end Force;
    model ConstantForce
      parameter Units.Force f_constant = 1;
      Interfaces.Flange_b flange;
    equation
      flange.f = -f_constant;
    end ConstantForce;
    model Position "Position from a signal, which must be differentiable twice: a joint refuses to jump"
      Blocks.Interfaces.RealInput s_ref(unit = "m");
      Interfaces.Flange_b flange;
    equation
      flange.s = s_ref;
    end Position;
    model Speed "Speed from a signal, which must be differentiable"
      Blocks.Interfaces.RealInput v_ref(unit = "m/s");
      Interfaces.Flange_b flange;
      Units.Position s(start = 0, fixed = true);
    equation
      s = flange.s;
      der(s) = v_ref;
    end Speed;
  end Sources;

  package Sensors "Ideal sensors"
    model PositionSensor
      Interfaces.Flange_a flange;
      Blocks.Interfaces.RealOutput s(unit = "m");
    equation
      flange.f = 0;
      s = flange.s;
    end PositionSensor;
    model SpeedSensor
      Interfaces.Flange_a flange;
      Blocks.Interfaces.RealOutput v(unit = "m/s");
    equation
      flange.f = 0;
      v = der(flange.s);
    end SpeedSensor;
    model ForceSensor
      extends Interfaces.PartialTwoFlanges;
      Blocks.Interfaces.RealOutput f(unit = "N");
    equation
      flange_a.s = flange_b.s;
      flange_a.f + flange_b.f = 0;
      f = flange_a.f;
    end ForceSensor;
  end Sensors;

  model Mass = Components.Mass;
  model Spring = Components.Spring;
  model Damper = Components.Damper;
  model SpringDamper = Components.SpringDamper;
  model Fixed = Components.Fixed;
  model Force = Sources.Force;
  model Position = Sources.Position;
end Translational;
