package Starts "What holds at the start"
  type Choice = enumeration(given, found);

  model FixedByParameter "fixed may follow from parameters, and from those of an enumeration"
    parameter Boolean b = false, both[2] = {true, false};
    parameter Choice choice = Choice.found;
    parameter Real p(fixed = b, start = 2), q(fixed = choice == Choice.given, start = 2);
    Real x[2](start = {1, 2}, fixed = both), y(start = 7, fixed = not b);
  initial equation
    3 = p*2;
    if choice == Choice.found then
      5 = q*2;
    end if;
    x[2] = 10;
  equation
    der(x) = -x;
    der(y) = 0;
    when terminal() then
      assert(p == 1.5 and q == 2.5, "p = " + String(p) + ", q = " + String(q));
      assert(abs(x[1] - exp(-1)) < 1e-5 and abs(x[2] - 10*exp(-1)) < 1e-4 and y == 7, "start values");
    end when;
  end FixedByParameter;

  model ValueOfFree "A parameter that is free at the start and has a value: an equation of the start"
    parameter Real v = 3;
    parameter Real r(fixed = false) = 2*v;
    parameter Real s(fixed = false), t(fixed = false) = s + 1;
    Real x(start = 4, fixed = true);
  initial equation
    s = x;
  equation
    der(x) = 0;
    assert(r == 6 and s == 4 and t == 5, "found at the start");
  end ValueOfFree;

  model WhenInAlgorithm "A condition that holds from the start on has not become true"
    Real x(start = 5, fixed = true), y(start = 5, fixed = true), z(start = 5, fixed = true);
    Boolean b, c, d[2];
  algorithm
    b := time >= 0;
    when b then
      x := 1;
    end when;
  algorithm
    d := {time >= 0, time >= 0.5};
    when d then
      z := if time > 0.25 then 2 else 1;
    end when;
  equation
    c = time >= 0;
    when c then
      y = 1;
    end when;
    when terminal() then
      assert(b and c and x == 5 and y == 5, "x = " + String(x) + ", y = " + String(y));
      assert(z == 2, "what becomes true later");
    end when;
  end WhenInAlgorithm;

  model FixedAlias "Of several names of one quantity the start value of the one that is fixed counts"
    parameter Boolean free = false;
    Real x(start = 5, fixed = false), y(start = 2, fixed = true) "equal";
    Real u(start = 5, fixed = free), minus_u(start = 3, fixed = not free) "opposite";
    Real v[2](each start = 5, each fixed = false), w[2](start = {1, 4}, each fixed = true);
    Real part[2](start = {7, 8}, fixed = {true, false}), other[2](start = {5, 9}, fixed = {false, true});
    Real p, dp(start = 5, fixed = false), q(start = 0, fixed = true), dq(start = 2, fixed = true);
    Real a(start = 5, fixed = false), b(start = 5, fixed = false), c(start = -6, fixed = true),
      d(start = 6, fixed = true) "fixed twice, at the same";
  equation
    x = y;
    der(x) = -x;
    minus_u = -u;
    der(u) = -u;
    v = w;
    der(v) = -v;
    part = other;
    der(part) = -part;
    dp = der(p);
    der(dp) = -q;
    p = q;
    dq = der(q);
    a = b;
    b = -c;
    d = a;
    der(a) = -a;
    assert(abs(x - 2*exp(-time)) < 1e-4 and abs(y - x) < 1e-12, "equal: x = " + String(x));
    assert(abs(u + 3*exp(-time)) < 1e-4 and abs(minus_u + u) < 1e-12, "opposite: u = " + String(u));
    assert(abs(v[1] - exp(-time)) < 1e-4 and abs(v[2] - 4*exp(-time)) < 1e-4, "arrays: v[1] = " + String(v[1]));
    assert(abs(part[1] - 7*exp(-time)) < 1e-3 and abs(part[2] - 9*exp(-time)) < 1e-3, "element by element");
    assert(abs(q - 2*sin(time)) < 1e-3 and abs(dp - 2*cos(time)) < 1e-3, "derivatives: dp = " + String(dp));
    assert(abs(a - 6*exp(-time)) < 1e-3, "several: a = " + String(a));
  end FixedAlias;
end Starts;
