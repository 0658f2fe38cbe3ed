package Pulses "Functions of time after which a solver with long steps would not look: each integral has a closed form"
  constant Real pi = 2*acos(0);

  model Gates "A relation of a wave, which opens three times"
    Boolean open = sin(2*pi*time) > 0.5;
    Real x(start = 0, fixed = true);
    Integer times(start = 0, fixed = true);
  equation
    der(x) = if open then 1 else 0;
    when open then
      times = pre(times) + 1;
    end when;
    when terminal() then
      assert(times == 3 and abs(x - 1) < 1e-9, "a third of each period: " + String(x));
    end when;
    annotation(experiment(StopTime = 3.01));
  end Gates;

  model Peak "A relation that holds for eight thousandths of the run"
    Real x(start = 0, fixed = true);
  equation
    der(x) = if exp(-((time - 5)/0.05)^2) > 0.5 then 1 else 0;
    when terminal() then
      assert(abs(x - 0.1*sqrt(log(2))) < 1e-9, String(x));
    end when;
    annotation(experiment(StopTime = 10));
  end Peak;

  model Rectifiers "Ten half waves, with an event at each end and without"
    Real x(start = 0, fixed = true), y(start = 0, fixed = true), u = max(0, sin(10*time));
  equation
    der(x) = if sin(10*time) > 0 then sin(10*time) else 0;
    der(y) = u;
    when terminal() then
      assert(abs(x - 2) < 1e-3 and abs(y - 2) < 1e-3, String(x) + ", " + String(y));
    end when;
    annotation(experiment(StopTime = 6.283185307179586));
  end Rectifiers;

  model Limited "Half waves behind a source that begins at a time, which is a relation of its own"
    Rattleback.Blocks.Sources.Sine wave(f = 5/pi);
    Rattleback.Blocks.Nonlinear.Limiter limiter(uMax = 10, uMin = 0);
    Real x(start = 0, fixed = true);
  equation
    connect(wave.y, limiter.u);
    der(x) = limiter.y;
    when terminal() then
      assert(abs(x - 2) < 1e-3, String(x));
    end when;
    annotation(experiment(StopTime = 6.283185307179586));
  end Limited;

  model Pulse "Smooth, wide, narrow, and on a slope"
    Real wide(start = 0, fixed = true), narrow(start = 0, fixed = true), slope(start = 0, fixed = true);
  equation
    der(wide) = exp(-(time - 5)^2);
    der(narrow) = exp(-((time - 3)/0.05)^2);
    der(slope) = exp(-((time - 7)/0.02)^2) + time;
    when terminal() then
      assert(abs(wide - sqrt(pi)) < 1e-4 and abs(narrow - 0.05*sqrt(pi)) < 1e-4, String(wide) + ", " + String(narrow));
      assert(abs(slope - 50 - 0.02*sqrt(pi)) < 1e-3, String(slope));
    end when;
    annotation(experiment(StopTime = 10));
  end Pulse;

  model Blow "A pulse that sets a spring swinging: its spectrum at the spring's frequency is its amplitude"
    Real x(start = 0, fixed = true), v(start = 0, fixed = true);
    Real amplitude = sqrt(x^2 + v^2);
  equation
    der(x) = v;
    der(v) = -x + exp(-((time - 50)/0.05)^2);
    when terminal() then
      assert(abs(amplitude/(0.05*sqrt(pi)*exp(-0.05^2/4)) - 1) < 1e-4, String(amplitude));
    end when;
    annotation(experiment(StopTime = 100, Tolerance = 1e-8));
  end Blow;

  model Teeth "A relation of a state that changes twice within a step of the solver"
    Real x(start = 0, fixed = true), y(start = 0, fixed = true);
    Integer n(start = 0, fixed = true);
  equation
    der(x) = 1;
    der(y) = if sin(50*x) > 0.9 then 1 else 0;
    when sin(50*x) > 0.9 then
      n = pre(n) + 1;
    end when;
    when terminal() then
      assert(n == 80 and abs(y - 80*(pi - 2*asin(0.9))/50) < 1e-6, String(n) + " teeth, " + String(y));
    end when;
    annotation(experiment(StopTime = 10.05));
  end Teeth;

  partial model Graze "A swing that comes beyond a limit for less than a step, five times above and five times below"
    parameter Real depth "Of the limit under the peak";
    constant Real error = 1e-8 "Of the height of a peak, far more than the solver makes";
    Real x(start = 0, fixed = true), v(start = 1, fixed = true);
    Real y(start = 0, fixed = true);
    Integer n(start = 0, fixed = true);
  equation
    der(x) = v;
    der(v) = -x;
    der(y) = if x > 1 - depth or x < depth - 1 then 1 else 0;
    when {x > 1 - depth, x < depth - 1} then
      n = pre(n) + 1;
    end when;
    when terminal() then
      assert(n == 10, String(n) + " crossings");
      assert(abs(y/(20*acos(1 - depth)) - 1) < error/depth, String(y));
    end when;
  end Graze;

  model Graze3
    extends Graze(depth = 1e-3);
    annotation(experiment(StopTime = 31.4, Tolerance = 1e-11));
  end Graze3;

  model Graze4
    extends Graze(depth = 1e-4);
    annotation(experiment(StopTime = 31.4, Tolerance = 1e-11));
  end Graze4;

  model Graze5
    extends Graze(depth = 1e-5);
    annotation(experiment(StopTime = 31.4, Tolerance = 1e-11));
  end Graze5;

  model Graze6
    extends Graze(depth = 1e-6);
    annotation(experiment(StopTime = 31.4, Tolerance = 1e-11));
  end Graze6;
end Pulses;
