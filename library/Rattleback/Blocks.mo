within Rattleback;
package Blocks "Signals: sources, mathematics, dynamics, switches, tables"
  package Interfaces "Connectors and partial blocks"
    connector RealInput = input Real;
    connector RealOutput = output Real;
    connector BooleanInput = input Boolean;
    connector BooleanOutput = output Boolean;
    connector IntegerInput = input Integer;
    connector IntegerOutput = output Integer;
    partial block SO "One output"
      RealOutput y;
    end SO;
    partial block SISO "One input, one output"
      RealInput u;
      RealOutput y;
    end SISO;
    partial block SI2SO "Two inputs, one output"
      RealInput u1;
      RealInput u2;
      RealOutput y;
    end SI2SO;
    partial block SignalSource "Output with offset from a start time on"
      extends SO;
      parameter Real offset = 0 "Added to the output";
      parameter Units.Time startTime = 0 "The output is the offset before this time";
    end SignalSource;
  end Interfaces;

  package Sources "Blocks without input"
    block Constant "y = k"
      extends Interfaces.SO;
      parameter Real k = 1;
    equation
      y = k;
    end Constant;
    block ContinuousClock "The time since the start time"
      extends Interfaces.SignalSource;
    equation
      y = offset + (if time < startTime then 0 else time - startTime);
    end ContinuousClock;
    block Step "A jump"
      extends Interfaces.SignalSource;
      parameter Real height = 1;
    equation
      y = offset + (if time < startTime then 0 else height);
    end Step;
    block Ramp "From one value to another at constant slope"
      extends Interfaces.SignalSource;
      parameter Real height = 1;
      parameter Units.Time duration(min = 0, start = 2) = 2 "0: a step";
    equation
      y = offset + (if time < startTime then 0
        elseif time < startTime + duration then (time - startTime) * height / duration else height);
    end Ramp;
    block Sine "Sinusoidal signal"
      extends Interfaces.SignalSource;
      parameter Real amplitude = 1;
      parameter Units.Frequency f(start = 1) = 1;
      parameter Units.Angle phase = 0;
    equation
      y = offset + (if time < startTime then 0 else amplitude * sin(2 * pi * f * (time - startTime) + phase));
    end Sine;
    block Pulse "Rectangles"
      extends Interfaces.SignalSource;
      parameter Real amplitude = 1;
      parameter Real width(min = 0, max = 100) = 50 "High part of a period in percent";
      parameter Units.Time period(min = 1e-12) = 1;
    protected
      discrete Units.Time begin(start = startTime, fixed = true) "Of the current period";
    equation
      when sample(startTime, period) then
        begin = time;
      end when;
      y = offset + (if time < startTime or time >= begin + period * width / 100 then 0 else amplitude);
    end Pulse;
    block BooleanStep "True (or false) from a time on"
      parameter Units.Time startTime = 0;
      parameter Boolean startValue = false "Before the start time";
      Interfaces.BooleanOutput y;
    equation
      y = if time >= startTime then not startValue else startValue;
    end BooleanStep;
    block BooleanConstant "y = k"
      parameter Boolean k = true;
      Interfaces.BooleanOutput y;
    equation
      y = k;
    end BooleanConstant;
    block CombiTimeTable "Columns of a table over time, linear between the rows, constant outside"
      parameter Real table[:, :] "First column: time";
      parameter Integer columns[:] = 2:size(table, 2) "Columns that are outputs";
      final parameter Integer nout = size(columns, 1);
      Interfaces.RealOutput y[nout];
    equation
      for i in 1:nout loop
        y[i] = Tables.interpolate(table, columns[i], time);
      end for;
    end CombiTimeTable;
  end Sources;

  package Math "Algebra"
    block Gain "y = k u"
      extends Interfaces.SISO;
      parameter Real k(start = 1) = 1;
    equation
      y = k * u;
    end Gain;
    block Feedback "y = u1 - u2"
      extends Interfaces.SI2SO;
    equation
      y = u1 - u2;
    end Feedback;
    block Add "y = k1 u1 + k2 u2"
      extends Interfaces.SI2SO;
      parameter Real k1 = 1;
      parameter Real k2 = 1;
    equation
      y = k1 * u1 + k2 * u2;
    end Add;
    block Product "y = u1 u2"
      extends Interfaces.SI2SO;
    equation
      y = u1 * u2;
    end Product;
    block Sum "Scalar product of the inputs and their gains"
      parameter Integer nin = 1;
      parameter Real k[nin] = ones(nin);
      Interfaces.RealInput u[nin];
      Interfaces.RealOutput y;
    equation
      y = k * u;
    end Sum;
    block Abs "y = |u|"
      extends Interfaces.SISO;
    equation
      y = abs(u);
    end Abs;
  end Math;

  package Types "Choices"
    type Init = enumeration(NoInit "Nothing is said", SteadyState "Derivatives are zero", InitialState "States have their start values",
        InitialOutput "The output has its start value");
  end Types;

  package Continuous "Blocks with states"
    block Integrator "y = k times the integral of u"
      extends Interfaces.SISO(y(start = y_start));
      parameter Real k = 1;
      parameter Types.Init initType = Types.Init.InitialState;
      parameter Real y_start = 0;
    initial equation
      if initType == Types.Init.SteadyState then
        der(y) = 0;
      elseif initType == Types.Init.InitialState or initType == Types.Init.InitialOutput then
        y = y_start;
      end if;
    equation
      der(y) = k * u;
    end Integrator;
    block FirstOrder "T dy/dt + y = k u"
      extends Interfaces.SISO(y(start = y_start));
      parameter Real k = 1;
      parameter Units.Time T(start = 1) = 1;
      parameter Types.Init initType = Types.Init.NoInit;
      parameter Real y_start = 0;
    initial equation
      if initType == Types.Init.SteadyState then
        der(y) = 0;
      elseif initType == Types.Init.InitialState or initType == Types.Init.InitialOutput then
        y = y_start;
      end if;
    equation
      der(y) = (k * u - y) / T;
    end FirstOrder;
    block SecondOrder "y'' / w^2 + 2 D y' / w + y = k u"
      extends Interfaces.SISO(y(start = y_start));
      parameter Real k = 1;
      parameter Real w(start = 1) = 1 "Angular frequency";
      parameter Real D(start = 1) = 1 "Damping";
      parameter Types.Init initType = Types.Init.NoInit;
      parameter Real y_start = 0;
      parameter Real yd_start = 0;
      Real yd(start = yd_start) "Derivative of y";
    initial equation
      if initType == Types.Init.SteadyState then
        der(y) = 0;
        der(yd) = 0;
      elseif initType == Types.Init.InitialState then
        y = y_start;
        yd = yd_start;
      end if;
    equation
      der(y) = yd;
      der(yd) = w * (w * (k * u - y) - 2 * D * yd);
    end SecondOrder;
    block PI "y = k (u + integral of u / T)"
      extends Interfaces.SISO;
      parameter Real k = 1;
      parameter Units.Time T(start = 1, min = 1e-60) = 1;
      parameter Types.Init initType = Types.Init.NoInit;
      parameter Real x_start = 0;
      Real x(start = x_start) "State";
    initial equation
      if initType == Types.Init.SteadyState then
        der(x) = 0;
      elseif initType == Types.Init.InitialState then
        x = x_start;
      end if;
    equation
      der(x) = u / T;
      y = k * (x + u);
    end PI;
    block Derivative "Derivative of the input, smoothed with a time constant"
      extends Interfaces.SISO;
      parameter Real k = 1;
      parameter Units.Time T(min = 1e-60) = 0.01;
      parameter Types.Init initType = Types.Init.NoInit;
      parameter Real x_start = 0;
      Real x(start = x_start) "Smoothed input";
    initial equation
      if initType == Types.Init.SteadyState then
        der(x) = 0;
      elseif initType == Types.Init.InitialState then
        x = x_start;
      end if;
    equation
      der(x) = (u - x) / T;
      y = k * (u - x) / T;
    end Derivative;
  end Continuous;

  package Nonlinear "Characteristics"
    block Limiter "The input between two limits"
      extends Interfaces.SISO;
      parameter Real uMax(start = 1) = 1;
      parameter Real uMin = -uMax;
    equation
      assert(uMax >= uMin, "The upper limit is below the lower one");
      y = smooth(0, if u > uMax then uMax elseif u < uMin then uMin else u);
    end Limiter;
    block DeadZone "No output for small inputs"
      extends Interfaces.SISO;
      parameter Real uMax(start = 1) = 1;
      parameter Real uMin = -uMax;
    equation
      y = smooth(0, if u > uMax then u - uMax elseif u < uMin then u - uMin else 0);
    end DeadZone;
  end Nonlinear;

  package Logical "Decisions"
    block GreaterThreshold "Is the input greater than a number?"
      parameter Real threshold = 0;
      Interfaces.RealInput u;
      Interfaces.BooleanOutput y;
    equation
      y = u > threshold;
    end GreaterThreshold;
    block Hysteresis "True above one limit, false below another"
      parameter Real uLow(start = 0) = 0;
      parameter Real uHigh(start = 1) = 1;
      parameter Boolean pre_y_start = false "Output before the start";
      Interfaces.RealInput u;
      Interfaces.BooleanOutput y;
    initial equation
      pre(y) = pre_y_start;
    equation
      y = u > uHigh or pre(y) and u >= uLow;
    end Hysteresis;
    block Switch "One of two inputs"
      Interfaces.RealInput u1 "Taken if u2 is true";
      Interfaces.BooleanInput u2;
      Interfaces.RealInput u3 "Taken otherwise";
      Interfaces.RealOutput y;
    equation
      y = if u2 then u1 else u3;
    end Switch;
  end Logical;

  package Tables "Interpolation in matrices"
    function interpolate "Value in a column over the first column: linear between the rows, constant outside"
      input Real table[:, :];
      input Integer column;
      input Real u;
      output Real y;
    protected
      Integer n = size(table, 1);
      Integer row = 1;
    algorithm
      if n == 1 or u <= table[1, 1] then
        y := table[1, column];
      elseif u >= table[n, 1] then
        y := table[n, column];
      else
        while u >= table[row + 1, 1] loop
          row := row + 1;
        end while;
        y := table[row, column] + (table[row + 1, column] - table[row, column]) * (u - table[row, 1]) / (table[row + 1, 1] - table[row, 1]);
      end if;
    end interpolate;
    block CombiTable1Ds "Columns of a table over the input"
      parameter Real table[:, :] "First column: input";
      parameter Integer columns[:] = 2:size(table, 2);
      final parameter Integer nout = size(columns, 1);
      Interfaces.RealInput u;
      Interfaces.RealOutput y[nout];
    equation
      for i in 1:nout loop
        y[i] = interpolate(table, columns[i], u);
      end for;
    end CombiTable1Ds;
    block CombiTable2Ds "Bilinear interpolation over two inputs"
      parameter Real table[:, :] "First column: u1, first row: u2";
      extends Interfaces.SI2SO;
    protected
      final parameter Integer n = size(table, 1);
      final parameter Integer m = size(table, 2);
      Real column[n - 1] "Values at u2 for every row";
    equation
      for i in 1:n - 1 loop
        column[i] = interpolate(transpose([table[1, 2:m]; table[i + 1, 2:m]]), 2, u2);
      end for;
      y = interpolate([table[2:n, 1], column], 2, u1);
    end CombiTable2Ds;
  end Tables;
end Blocks;
