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
    block CombiTimeTable "Columns of a table over time, with an event at every row"
      parameter Boolean tableOnFile = false "The table is in a file";
      parameter Real table[:, :] = fill(0.0, 0, 2) "First column: time";
      parameter String tableName = "NoName" "Name of the table in the file";
      parameter String fileName = "NoName" "Text (#1), .mat (level 4) or .csv";
      parameter Integer columns[:] = 2:size(table, 2) "Columns that are outputs";
      parameter Types.Smoothness smoothness = Types.Smoothness.LinearSegments;
      parameter Types.Extrapolation extrapolation = Types.Extrapolation.LastTwoPoints;
      parameter Real timeScale(unit = "s") = 1 "Unit of the first column";
      parameter Real offset[:] = {0} "Added to the outputs";
      parameter Real startTime(unit = "s") = 0 "Before, the outputs are the offset";
      parameter Real shiftTime(unit = "s") = startTime "Time that is zero in the table";
      parameter Types.TimeEvents timeEvents = Types.TimeEvents.Always;
      final parameter Integer nout = max(size(columns, 1), size(offset, 1));
      Interfaces.RealOutput y[nout];
    protected
      final parameter Real p_offset[nout] = if size(offset, 1) == 1 then fill(offset[1], nout) else offset;
      parameter Tables.ExternalTimeTable tableID = Tables.ExternalTimeTable(
        if tableOnFile then tableName else "NoName", if tableOnFile then fileName else "NoName", table, startTime/timeScale,
        columns, smoothness, extrapolation, shiftTime/timeScale,
        if smoothness == Types.Smoothness.LinearSegments then timeEvents
        elseif smoothness == Types.Smoothness.ConstantSegments then Types.TimeEvents.Always else Types.TimeEvents.NoTimeEvents);
      discrete Real nextEvent(start = 0, fixed = true) "In the unit of the first column";
      Real scaled "Time in the unit of the first column";
    equation
      scaled = time/timeScale;
      when {time >= pre(nextEvent)*timeScale, initial()} then
        nextEvent = Tables.nextTimeEvent(tableID, scaled);
      end when;
      for i in 1:nout loop
        y[i] = p_offset[i] + Tables.timeTableValue(tableID, i, scaled, nextEvent, pre(nextEvent));
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
    type Smoothness = enumeration(
      LinearSegments "Straight lines between the points",
      ContinuousDerivative "Cubic (Akima): the derivative is continuous",
      ConstantSegments "The value at the left end of the interval",
      MonotoneContinuousDerivative1 "Cubic (Fritsch and Butland): monotone where the points are",
      MonotoneContinuousDerivative2 "Cubic (Steffen): monotone where the points are",
      ModifiedContinuousDerivative "Cubic (modified Akima): no overshoot where the points are flat");
    type Extrapolation = enumeration(
      HoldLastPoint "The value at the end",
      LastTwoPoints "Straight on with the derivative at the end",
      Periodic "The table repeats itself",
      NoExtrapolation "An error");
    type TimeEvents = enumeration(
      Always "At every row",
      AtDiscontinuities "Where a time stands twice",
      NoTimeEvents "None");
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
    class ExternalTable1D "Columns over the first column"
      extends ExternalObject;
      function constructor
        input String tableName;
        input String fileName;
        input Real table[:, :];
        input Integer columns[:];
        input Types.Smoothness smoothness;
        input Types.Extrapolation extrapolation;
        input Boolean verbose = false;
        input String delimiter = ",";
        input Integer headerLines = 0;
        output ExternalTable1D object;
      external "C" object = ModelicaStandardTables_CombiTable1D_init3(fileName, tableName, table, size(table, 1), size(table, 2),
          columns, size(columns, 1), smoothness, extrapolation, verbose, delimiter, headerLines);
      end constructor;
      function destructor
        input ExternalTable1D object;
      external "C" ModelicaStandardTables_CombiTable1D_close(object);
      end destructor;
    end ExternalTable1D;
    function table1DValue "Value of an output at u"
      input ExternalTable1D object;
      input Integer output_;
      input Real u;
      output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(object, output_, u);
      annotation(derivative = table1DDerivative);
    end table1DValue;
    function table1DDerivative
      input ExternalTable1D object;
      input Integer output_;
      input Real u;
      input Real der_u;
      output Real der_y;
    external "C" der_y = ModelicaStandardTables_CombiTable1D_getDerValue(object, output_, u, der_u);
    end table1DDerivative;
    class ExternalTable2D "A matrix over its first column and first row"
      extends ExternalObject;
      function constructor
        input String tableName;
        input String fileName;
        input Real table[:, :];
        input Types.Smoothness smoothness;
        input Types.Extrapolation extrapolation;
        input Boolean verbose = false;
        input String delimiter = ",";
        input Integer headerLines = 0;
        output ExternalTable2D object;
      external "C" object = ModelicaStandardTables_CombiTable2D_init3(fileName, tableName, table, size(table, 1), size(table, 2),
          smoothness, extrapolation, verbose, delimiter, headerLines);
      end constructor;
      function destructor
        input ExternalTable2D object;
      external "C" ModelicaStandardTables_CombiTable2D_close(object);
      end destructor;
    end ExternalTable2D;
    function table2DValue "Value at (u1, u2)"
      input ExternalTable2D object;
      input Real u1;
      input Real u2;
      output Real y;
    external "C" y = ModelicaStandardTables_CombiTable2D_getValue(object, u1, u2);
      annotation(derivative = table2DDerivative);
    end table2DValue;
    function table2DDerivative
      input ExternalTable2D object;
      input Real u1;
      input Real u2;
      input Real der_u1;
      input Real der_u2;
      output Real der_y;
    external "C" der_y = ModelicaStandardTables_CombiTable2D_getDerValue(object, u1, u2, der_u1, der_u2);
    end table2DDerivative;
    class ExternalTimeTable "Columns over time"
      extends ExternalObject;
      function constructor
        input String tableName;
        input String fileName;
        input Real table[:, :];
        input Real startTime;
        input Integer columns[:];
        input Types.Smoothness smoothness;
        input Types.Extrapolation extrapolation;
        input Real shiftTime;
        input Types.TimeEvents timeEvents;
        input Boolean verbose = false;
        input String delimiter = ",";
        input Integer headerLines = 0;
        output ExternalTimeTable object;
      external "C" object = ModelicaStandardTables_CombiTimeTable_init3(fileName, tableName, table, size(table, 1), size(table, 2),
          startTime, columns, size(columns, 1), smoothness, extrapolation, shiftTime, timeEvents, verbose, delimiter, headerLines);
      end constructor;
      function destructor
        input ExternalTimeTable object;
      external "C" ModelicaStandardTables_CombiTimeTable_close(object);
      end destructor;
    end ExternalTimeTable;
    function nextTimeEvent "First event after a time"
      input ExternalTimeTable object;
      input Real t;
      output Real next;
    external "C" next = ModelicaStandardTables_CombiTimeTable_nextTimeEvent(object, t);
    end nextTimeEvent;
    function timeTableValue "Value of an output; left of the next event while that has not happened"
      input ExternalTimeTable object;
      input Integer output_;
      input Real t;
      input Real next;
      input Real pre_next;
      output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_getValue(object, output_, t, next, pre_next);
      annotation(derivative(noDerivative = next, noDerivative = pre_next) = timeTableDerivative);
    end timeTableValue;
    function timeTableDerivative
      input ExternalTimeTable object;
      input Integer output_;
      input Real t;
      input Real next;
      input Real pre_next;
      input Real der_t;
      output Real der_y;
    external "C" der_y = ModelicaStandardTables_CombiTimeTable_getDerValue(object, output_, t, next, pre_next, der_t);
    end timeTableDerivative;
    partial block PartialTable1D
      parameter Boolean tableOnFile = false "The table is in a file";
      parameter Real table[:, :] = fill(0.0, 0, 2) "First column: input";
      parameter String tableName = "NoName" "Name of the table in the file";
      parameter String fileName = "NoName" "Text (#1), .mat (level 4) or .csv";
      parameter Integer columns[:] = 2:size(table, 2) "Columns that are outputs";
      parameter Types.Smoothness smoothness = Types.Smoothness.LinearSegments;
      parameter Types.Extrapolation extrapolation = Types.Extrapolation.LastTwoPoints;
      final parameter Integer nout = size(columns, 1);
      Interfaces.RealOutput y[nout];
    protected
      parameter ExternalTable1D tableID = ExternalTable1D(if tableOnFile then tableName else "NoName",
        if tableOnFile then fileName else "NoName", table, columns, smoothness, extrapolation);
    end PartialTable1D;
    block CombiTable1Ds "Columns of a table over one input"
      extends PartialTable1D;
      Interfaces.RealInput u;
    equation
      for i in 1:nout loop
        y[i] = table1DValue(tableID, i, u);
      end for;
    end CombiTable1Ds;
    block CombiTable1Dv "Columns of a table, each over an input of its own"
      extends PartialTable1D;
      Interfaces.RealInput u[nout];
    equation
      for i in 1:nout loop
        y[i] = table1DValue(tableID, i, u[i]);
      end for;
    end CombiTable1Dv;
    block CombiTable2Ds "A matrix over two inputs"
      parameter Boolean tableOnFile = false "The table is in a file";
      parameter Real table[:, :] = fill(0.0, 0, 2) "First column: u1, first row: u2";
      parameter String tableName = "NoName" "Name of the table in the file";
      parameter String fileName = "NoName" "Text (#1), .mat (level 4) or .csv";
      parameter Types.Smoothness smoothness = Types.Smoothness.LinearSegments;
      parameter Types.Extrapolation extrapolation = Types.Extrapolation.LastTwoPoints;
      extends Interfaces.SI2SO;
    protected
      parameter ExternalTable2D tableID = ExternalTable2D(if tableOnFile then tableName else "NoName",
        if tableOnFile then fileName else "NoName", table, smoothness, extrapolation);
    equation
      y = table2DValue(tableID, u1, u2);
    end CombiTable2Ds;
  end Tables;
end Blocks;
