package Branches "Equations with several solutions: the run stays on one until it ends; what must come out is in tests/unit/translate/test_branches.c"

  model Multivibrator "An amplifier with positive feedback charges a capacitor up and down"
    parameter Real limit = 15;
    parameter Real gain = 15000;
    parameter Real T(unit = "s") = 0.05;
    Real c(start = 1, fixed = true) "Voltage of the capacitor";
    Real plus(start = -7.5) "Half the output is fed back";
    Real out(start = -15);
  equation
    out = smooth(0, noEvent(if gain*(plus - c) > limit then limit else if gain*(plus - c) < -limit then -limit else gain*(plus - c)));
    plus = 0.5*out;
    T*der(c) = out - c;
    annotation(experiment(StopTime = 0.5, Tolerance = 1e-9));
  end Multivibrator;

  model Trigger "Output with hysteresis, no states: results must not depend on where the solver looked"
    parameter Real gain = 15000;
    Real u = 3*sin(2*3.14159265358979*time);
    Real y(start = 1);
  equation
    y = smooth(0, noEvent(if gain*(y + u) > 1 then 1 else if gain*(y + u) < -1 then -1 else gain*(y + u)));
    annotation(experiment(StopTime = 3, Tolerance = 1e-6, Interval = 0.001));
  end Trigger;

  model Relaxation "Van der Pol's oscillator in the limit of fast jumps"
    Real x(start = 2/3, fixed = true);
    Real y(start = 2);
  equation
    der(x) = -y;
    y^3/3 - y = x;
    annotation(experiment(StopTime = 8, Tolerance = 1e-8));
  end Relaxation;

  model RelaxationOfTwo "The same, mixed with an equation for another unknown, z + z^3 = y"
    Real x(start = 2/3, fixed = true);
    Real y(start = 2);
    Real z(start = 1);
  equation
    der(x) = -y;
    (y^3/3 - y - x) + 0.3*(z + z^3 - y) = 0;
    (z + z^3 - y) - 0.5*(y^3/3 - y - x) = 0;
    annotation(experiment(StopTime = 8, Tolerance = 1e-8));
  end RelaxationOfTwo;
end Branches;
