package Mixed "Relations and continuous unknowns that determine each other; what must come out is in tests/unit/translate/test_mixed.c"

  model Sticking "A light mass slides backwards, sticks, and is pulled loose by a growing force"
    parameter Real m = 0.1;
    parameter Real f0 = 1 "Friction";
    Real v(start = -1, fixed = true), a, f;
    Real s(start = 0) "Friction force while it sticks, path parameter of the acceleration otherwise";
    Boolean forward, backward, stuck;
    Integer mode(start = -1, fixed = true) "1: forward, -1: backward, 0: stuck";
  equation
    forward = pre(mode) == 0 and (s > f0 or pre(forward) and s > 0.9*f0);
    backward = pre(mode) == 0 and (s < -f0 or pre(backward) and s < -0.9*f0);
    stuck = not (pre(mode) == 1 or forward or pre(mode) == -1 or backward);
    a = if stuck then 0 else if forward then s - f0 else if backward then s + f0 else if pre(mode) == 1 then s - f0 else s + f0;
    f = if stuck then s else if forward then f0 else if backward then -f0 else if pre(mode) == 1 then f0 else -f0;
    mode = if (pre(mode) == 1 or forward) and v > 0 then 1 else if (pre(mode) == -1 or backward) and v < 0 then -1 else 0;
    der(v) = a;
    m*a = 0.5 + time - f;
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Sticking;

  model Opening "A valve whose pressure and flow are equal but for rounding when it opens"
    Real x(start = -1, fixed = true), s, y(start = 0, fixed = true);
    Boolean closed(start = true, fixed = true);
  equation
    der(x) = 1;
    s = if closed then x else x - 1e-11;
    closed = s < 0;
    der(y) = if closed then 0 else 1;
    annotation(experiment(StopTime = 2));
  end Opening;

  model OpeningAtStart "The same at the start: 0 < 0 does not hold, and 0 - 1e-11 < 0 does"
    extends Opening(x(start = 0));
    annotation(experiment(StopTime = 2));
  end OpeningAtStart;

  model Held "A motor behind a gear, held by friction, whose accelerations are all given at the start"
    parameter Real J = 1, k = 1, R = 1, L = 1, limit = 1, ratio = 2;
    Real load_w "Speed of the load";
    Real w "Speed of the motor";
    Real a "Acceleration where the friction acts";
    Real s "Torque of friction while it holds, beyond it the acceleration: drops out of the equation of a";
    Real tau, i, u(start = 0.25);
    Boolean held(start = true);
  initial equation
    load_w = 0;
    der(load_w) = 0;
    der(i) = 0;
  equation
    w = ratio*load_w;
    a = der(w);
    J*a = k*i - tau;
    L*der(i) = u - R*i;
    der(u) = 1;
    a = if held then 0 else s - limit;
    tau = if held then s else limit;
    held = s <= limit;
    annotation(experiment(StopTime = 3, Tolerance = 1e-9));
  end Held;

  model Loose "The same with a speed that contradicts what holds it"
    extends Held;
    Real v = 1 + time;
    Real x "Drops out while held, and then v would have to be zero";
  equation
    v = if held then 0 else x;
  end Loose;
end Mixed;
