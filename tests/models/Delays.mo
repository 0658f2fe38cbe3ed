package Delays "delay() against closed forms (tests/unit/translate/test_delay.c)"
  model Sine "Fixed delay of a signal, and of a state"
    parameter Real T = 0.7;
    Real y = sin(time);
    Real x(start = 0, fixed = true);
    Real d = delay(y, T);
    Real dx = delay(x, T);
  equation
    der(x) = cos(time);
    annotation(experiment(StopTime = 10, Tolerance = 1e-9));
  end Sine;

  model Decay "x' = -x(t - 1), x = 1 for t <= 0"
    Real x(start = 1, fixed = true);
  equation
    der(x) = -delay(x, 1);
    annotation(experiment(StopTime = 4, Tolerance = 1e-9));
  end Decay;

  model Varying "The delay changes all the time"
    Real y = delay(time^3, 0.2 + 0.1*sin(time), 0.5);
    annotation(experiment(StopTime = 3, Tolerance = 1e-9));
  end Varying;

  model Jump "A jump arrives later, as an event; a loop through delay() is none"
    Real step = if time < 0.3 then 1 else 2;
    Real late = delay(step, 0.5);
    Real x(start = 0, fixed = true);
    Real echo;
  equation
    der(x) = late;
    echo = 0.5*delay(echo, 0.25) + step;
    annotation(experiment(StopTime = 2, Tolerance = 1e-9));
  end Jump;

  model Settled "What the event at the start makes of a value is its past"
    Integer n(start = 1, fixed = true);
    Real late = delay(pre(n), 0.5);
  equation
    n = if time >= 0 then 3 else 2;
    annotation(experiment(StopTime = 1));
  end Settled;

  model Slopes "Derivatives of what is late: of a state, twice, and with a delay that varies"
    Real s(start = 0, fixed = true), v(start = 1, fixed = true);
    Real z = delay(s, 0.5), speed = der(z), acceleration = der(speed);
    Real varying = delay(s, 1 + 0.1*sin(time), 2), slope = der(varying);
  equation
    der(s) = v;
    der(v) = -s;
    annotation(experiment(StopTime = 4, Tolerance = 1e-9));
  end Slopes;

  model TooLong
    Real y = delay(time, 0.2 + time, 1);
    annotation(experiment(StopTime = 5));
  end TooLong;
end Delays;
