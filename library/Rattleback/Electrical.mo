within Rattleback;
package Electrical "Analog circuits"
  package Interfaces "Pins and partial components"
    connector Pin "Potential and current into the component"
      Units.Voltage v;
      flow Units.Current i;
    end Pin;
    connector PositivePin = Pin;
    connector NegativePin = Pin;
    partial model TwoPin "Voltage between two pins"
      PositivePin p;
      NegativePin n;
      Units.Voltage v "p.v - n.v";
    equation
      v = p.v - n.v;
    end TwoPin;
    partial model OnePort "Two pins with one current"
      extends TwoPin;
      Units.Current i "From p to n";
    equation
      i = p.i;
      p.i + n.i = 0;
    end OnePort;
  end Interfaces;

  package Basic "Linear components"
    model Ground "Zero potential"
      Interfaces.Pin p;
    equation
      p.v = 0;
    end Ground;
    model Resistor "v = R i, as heat if wanted"
      extends Interfaces.OnePort;
      parameter Units.Resistance R(start = 1) = 1;
      parameter Boolean useHeatPort = false;
      parameter Units.Temperature T = 293.15 "Without heat port";
      HeatTransfer.Interfaces.HeatPort_a heatPort(T(start = T), Q_flow = -LossPower) if useHeatPort;
      Units.Power LossPower = v * i;
    equation
      v = R * i;
    end Resistor;
    model Conductor "i = G v"
      extends Interfaces.OnePort;
      parameter Units.Conductance G(start = 1) = 1;
    equation
      i = G * v;
    end Conductor;
    model Capacitor "i = C dv/dt"
      extends Interfaces.OnePort(v(start = 0));
      parameter Units.Capacitance C(start = 1) = 1;
    equation
      i = C * der(v);
    end Capacitor;
    model Inductor "v = L di/dt"
      extends Interfaces.OnePort(i(start = 0));
      parameter Units.Inductance L(start = 1) = 1;
    equation
      v = L * der(i);
    end Inductor;
    model RotationalEMF "Motor and generator: torque from current, voltage from speed"
      parameter Boolean useSupport = false;
      parameter Units.ElectricalTorqueConstant k(start = 1) = 1;
      Interfaces.PositivePin p;
      Interfaces.NegativePin n;
      Rotational.Interfaces.Flange_b flange;
      Rotational.Interfaces.Support support if useSupport;
      Units.Voltage v = p.v - n.v;
      Units.Current i = p.i;
      Units.Angle phi = flange.phi - internalSupport.phi;
      Units.AngularVelocity w = der(phi);
    protected
      Rotational.Components.Fixed fixed if not useSupport;
      Rotational.Interfaces.InternalSupport internalSupport(tau = -flange.tau);
    equation
      p.i + n.i = 0;
      k * w = v;
      flange.tau = -k * i;
      connect(internalSupport.flange, support);
      connect(internalSupport.flange, fixed.flange);
    end RotationalEMF;
  end Basic;

  package Ideal "Switches and diodes with two branches"
    partial model Branches "Nearly no resistance or nearly no conductance, described by one curve parameter"
      extends Interfaces.OnePort;
      parameter Units.Resistance Ron(min = 0) = 1e-5 "Closed";
      parameter Units.Conductance Goff(min = 0) = 1e-5 "Open";
    protected
      Real s "Voltage in V when open, current in A when closed";
      constant Units.Voltage volt = 1;
      constant Units.Current ampere = 1;
    end Branches;
    model IdealDiode "Conducts in one direction"
      extends Branches;
      parameter Units.Voltage Vknee(min = 0) = 0;
      Boolean off(start = true) "Blocks";
    equation
      off = s < 0;
      v = s * volt * (if off then 1 else Ron * ampere / volt) + Vknee;
      i = s * ampere * (if off then Goff * volt / ampere else 1) + Goff * Vknee;
    end IdealDiode;
    model IdealClosingSwitch "Closed while the control is true"
      extends Branches;
      Blocks.Interfaces.BooleanInput control;
    equation
      v = s * volt * (if control then Ron * ampere / volt else 1);
      i = s * ampere * (if control then 1 else Goff * volt / ampere);
    end IdealClosingSwitch;
    model IdealOpeningSwitch "Open while the control is true"
      extends Branches;
      Blocks.Interfaces.BooleanInput control;
    equation
      v = s * volt * (if control then 1 else Ron * ampere / volt);
      i = s * ampere * (if control then Goff * volt / ampere else 1);
    end IdealOpeningSwitch;
  end Ideal;

  package Sources "Voltages and currents"
    model ConstantVoltage
      extends Interfaces.OnePort;
      parameter Units.Voltage V(start = 1) = 1;
    equation
      v = V;
    end ConstantVoltage;
    model StepVoltage
      extends Interfaces.OnePort;
      parameter Units.Voltage V(start = 1) = 1 "Height";
      parameter Units.Voltage offset = 0;
      parameter Units.Time startTime = 0;
    equation
      v = offset + (if time < startTime then 0 else V);
    end StepVoltage;
    model SineVoltage
      extends Interfaces.OnePort;
      parameter Units.Voltage V(start = 1) = 1 "Amplitude";
      parameter Units.Frequency f(start = 1) = 1;
      parameter Units.Angle phase = 0;
      parameter Units.Voltage offset = 0;
      parameter Units.Time startTime = 0;
    equation
      v = offset + (if time < startTime then 0 else V * sin(2 * pi * f * (time - startTime) + phase));
    end SineVoltage;
    model SignalVoltage "Voltage from a signal"
      Interfaces.PositivePin p;
      Interfaces.NegativePin n;
      Blocks.Interfaces.RealInput v(unit = "V") "Voltage from p to n";
      Units.Current i "From p to n";
    equation
      v = p.v - n.v;
      i = p.i;
      p.i + n.i = 0;
    end SignalVoltage;
    model ConstantCurrent "From p to n through the source"
      extends Interfaces.OnePort;
      parameter Units.Current I(start = 1) = 1;
    equation
      i = I;
    end ConstantCurrent;
    model SignalCurrent "Current from a signal"
      Interfaces.PositivePin p;
      Interfaces.NegativePin n;
      Blocks.Interfaces.RealInput i(unit = "A") "Current from p to n through the source";
      Units.Voltage v "Between p and n";
    equation
      v = p.v - n.v;
      i = p.i;
      p.i + n.i = 0;
    end SignalCurrent;
  end Sources;

  package Sensors "Instruments"
    model PotentialSensor
      Interfaces.PositivePin p;
      Blocks.Interfaces.RealOutput phi(unit = "V");
    equation
      p.i = 0;
      phi = p.v;
    end PotentialSensor;
    model VoltageSensor
      Interfaces.PositivePin p;
      Interfaces.NegativePin n;
      Blocks.Interfaces.RealOutput v(unit = "V");
    equation
      p.i = 0;
      n.i = 0;
      v = p.v - n.v;
    end VoltageSensor;
    model CurrentSensor
      Interfaces.PositivePin p;
      Interfaces.NegativePin n;
      Blocks.Interfaces.RealOutput i(unit = "A");
    equation
      p.v = n.v;
      p.i + n.i = 0;
      i = p.i;
    end CurrentSensor;
  end Sensors;
end Electrical;
