package Clocks "Functions of time that jump without events (tests/unit/translate/test_clocks.c)"
  import Rattleback.Blocks.{Types, Tables};

  function pulse "1 for from <= t < until"
    input Real t, from, until;
    output Real y;
  algorithm
    y := if t >= from and t < until then 1 else 0;
    annotation(Inline = false, LateInline = false);
  end pulse;

  function foreign "The same in C"
    input Real t, from, until;
    output Real y;
  external "C" y = rb_test_pulse(t, from, until) annotation(Include = "
    static double rb_test_pulse(double t, double from, double until) { return t >= from && t < until; }");
  end foreign;

  partial model Pushed "1 N on 1 kg"
    parameter Real from = 0.2, until = 0.6;
    Real f, v(start = 0, fixed = true);
  equation
    der(v) = f;
    annotation(experiment(StopTime = 1));
  end Pushed;

  model Algorithm
    extends Pushed;
  equation
    f = pulse(time, from, until);
  end Algorithm;

  model Foreign
    extends Pushed;
  equation
    f = foreign(time, from, until);
  end Foreign;

  model Quiet
    extends Pushed;
  equation
    f = noEvent(if time >= from and time < until then 1 else 0);
  end Quiet;

  model Steps "Functions of the language that jump"
    extends Pushed;
  equation
    f = noEvent(min(1, floor(time/from)) - min(1, ceil(max(0, time - until))))*0.5 + 0.5*noEvent((sign(time - from) - sign(time - until))/2);
  end Steps;

  model Indirect "Time in another unit, through a variable"
    extends Pushed;
    Real ms = 1000*time;
  equation
    f = pulse(ms, 1000*from, 1000*until);
  end Indirect;

  model Table
    extends Pushed;
    Tables.CombiTable1Ds table(table = [0, 0; from, 1; until, 0; 2, 0], smoothness = Types.Smoothness.ConstantSegments);
  equation
    table.u = time;
    f = table.y[1];
  end Table;

  model Train "A pulse of 1 ms in every 10 ms"
    Real v(start = 0, fixed = true);
  equation
    der(v) = pulse(noEvent(mod(time, 0.01)), 0.004, 0.005);
    annotation(experiment(StopTime = 0.5));
  end Train;

  model Slow "Smooth: nothing to be found, and no failure where it is not defined"
    Real v(start = 0, fixed = true);
    function root
      input Real t;
      output Real y;
    algorithm
      y := sqrt(0.9 - t);
      annotation(Inline = false, LateInline = false);
    end root;
  equation
    der(v) = root(time);
    when time > 0.5 then
      terminate("before there is no root");
    end when;
    annotation(experiment(StopTime = 1));
  end Slow;

  model Together "The sixth tick, 6*0.3, is a rounding before 1.8"
    Integer ticks(start = 0, fixed = true), late(start = 0, fixed = true), both(start = 0, fixed = true);
    Real at(start = 0, fixed = true);
    Boolean tick = sample(0, 0.3);
  equation
    when tick then
      ticks = pre(ticks) + 1;
      at = time;
    end when;
    when time >= 1.8 then
      late = pre(late) + 1;
    end when;
    when time >= 1.8 and tick then
      both = pre(both) + 1;
    end when;
    annotation(experiment(StopTime = 2));
  end Together;
end Clocks;
