package Rattleback "Small components for one-dimensional and signal-flow parts of a model"
  // Interfaces (names of connectors and their variables), sign conventions and class names agree with the Modelica Standard
  // Library, so that a model can use either one by changing its imports.
  package Units "Types with units for the variables of the library"
    type Angle = Real(final quantity = "Angle", final unit = "rad", displayUnit = "deg");
    type AngularVelocity = Real(final quantity = "AngularVelocity", final unit = "rad/s");
    type AngularAcceleration = Real(final quantity = "AngularAcceleration", final unit = "rad/s2");
    type Torque = Real(final quantity = "Torque", final unit = "N.m");
    type Inertia = Real(final quantity = "MomentOfInertia", final unit = "kg.m2");
    type RotationalSpringConstant = Real(final unit = "N.m/rad");
    type RotationalDampingConstant = Real(final unit = "N.m.s/rad");
    type Position = Real(final quantity = "Length", final unit = "m");
    type Length = Real(final quantity = "Length", final unit = "m", min = 0);
    type Area = Real(final quantity = "Area", final unit = "m2", min = 0);
    type Velocity = Real(final quantity = "Velocity", final unit = "m/s");
    type Acceleration = Real(final quantity = "Acceleration", final unit = "m/s2");
    type Force = Real(final quantity = "Force", final unit = "N");
    type Mass = Real(final quantity = "Mass", final unit = "kg", min = 0);
    type TranslationalSpringConstant = Real(final unit = "N/m");
    type TranslationalDampingConstant = Real(final unit = "N.s/m");
    type Voltage = Real(final quantity = "ElectricPotential", final unit = "V");
    type Current = Real(final quantity = "ElectricCurrent", final unit = "A");
    type Resistance = Real(final quantity = "Resistance", final unit = "Ohm");
    type Conductance = Real(final quantity = "Conductance", final unit = "S");
    type Capacitance = Real(final quantity = "Capacitance", final unit = "F");
    type Inductance = Real(final quantity = "Inductance", final unit = "H");
    type ElectricalTorqueConstant = Real(final unit = "N.m/A");
    type Temperature = Real(final quantity = "ThermodynamicTemperature", final unit = "K", min = 0, start = 293.15, nominal = 300);
    type HeatFlowRate = Real(final quantity = "Power", final unit = "W");
    type Power = Real(final quantity = "Power", final unit = "W");
    type HeatCapacity = Real(final quantity = "HeatCapacity", final unit = "J/K");
    type ThermalConductance = Real(final quantity = "ThermalConductance", final unit = "W/K");
    type ThermalResistance = Real(final unit = "K/W");
    type Time = Real(final quantity = "Time", final unit = "s");
    type Frequency = Real(final quantity = "Frequency", final unit = "Hz");
  end Units;
  constant Real pi = 3.14159265358979323846;
end Rattleback;
