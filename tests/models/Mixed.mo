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
end Mixed;
