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
end Starts;
