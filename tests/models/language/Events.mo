package Events "Conditions, samples, initial and terminal, assertions"
  model Counters
    Boolean up = sin(2*3.141592653589793*time) > 0, third(start = false, fixed = true);
    Integer samples(start = 0, fixed = true), edges(start = 0, fixed = true), changes(start = 0, fixed = true), starts(start = 0, fixed = true);
    discrete Real last(start = -1, fixed = true);
  equation
    when sample(0, 0.1) then
      samples = pre(samples) + 1;
      last = time;
    end when;
    when samples >= 3 and not pre(third) then
      third = true;
    end when;
    when edge(up) then
      edges = pre(edges) + 1;
    end when;
    when change(up) then
      changes = pre(changes) + 1;
    end when;
    when initial() then
      starts = 1;
    end when;
    when terminal() then
      assert(samples == 11 and abs(last - 1) < 1e-12 and third, String(samples) + " samples");
      assert(starts == 1 and edges == 1 and changes == 2, String(edges) + " edges, " + String(changes) + " changes");
    end when;
    annotation(experiment(StopTime = 1));
  end Counters;

  model Several "Each condition of a vector counts, and what an event changes is an event again"
    Real x(start = 0, fixed = true);
    Integer k(start = 0, fixed = true), a(start = 0, fixed = true);
    Boolean p(start = false, fixed = true);
  equation
    der(x) = 1;
    when {x > 0.25, x > 0.5, sample(0.7, 0.1)} then
      k = pre(k) + 1;
      p = not pre(p);
    end when;
    when terminal() then
      assert(k == 6 and a == 33, String(k) + " events, a = " + String(a));
    end when;
  algorithm
    when p then
      a := a + 1;
    elsewhen not p then
      a := a + 10;
    end when;
  end Several;

  model AtTheEnd "terminal() is one last event, also after terminate"
    Real x(start = 0, fixed = true);
    Integer ends(start = 0, fixed = true);
  equation
    der(x) = 1;
    when terminal() then
      ends = pre(ends) + 1;
    end when;
    assert(ends == 0 or abs(x - 1) < 1e-6, "it is not the end yet");
  end AtTheEnd;

  model Branches
    parameter Integer kind = 2;
    Real x(start = 0, fixed = true), z, u[3];
  equation
    if kind == 1 then
      der(x) = 1;
    elseif kind == 2 then
      der(x) = 2;
    else
      der(x) = 3;
    end if;
    if x > 1 then
      z = 10;
    else
      z = x;
    end if;
    for i in 1:3 loop
      if i > 1 then
        u[i] = u[i - 1] + 1;
      else
        u[i] = x;
      end if;
    end for;
    when terminal() then
      assert(abs(x - 2) < 1e-9 and z == 10 and abs(u[3] - 4) < 1e-9, "branches");
    end when;
  end Branches;

  model Algorithms
    Real x(start = 1, fixed = true), a, b, v[4];
    Integer c;
    discrete Real half_time(start = 0, fixed = true);
  algorithm
    a := 0;
    for i in 1:4 loop
      a := a + i*x;
    end for;
    b := a;
    while b > 1 loop
      b := b/2;
    end while;
    if x > 0.5 then
      c := 1;
    elseif x > 0.25 then
      c := 2;
    else
      c := 3;
    end if;
    for i in 1:4 loop
      v[i] := if i == 1 then x else v[i - 1]*2;
    end for;
    when x < 0.5 then
      half_time := time;
    end when;
  equation
    der(x) = -x;
    when terminal() then
      assert(abs(a - 10*x) < 1e-12 and b <= 1 and b > 0.5 and c == 2 and abs(v[4] - 8*x) < 1e-12, "algorithm");
      assert(abs(half_time - log(2)) < 1e-5, "ln 2 = " + String(half_time));
    end when;
  end Algorithms;

  model Start "Initial equations and algorithms; parameters that are found at the start, and what follows from them"
    Real x, v(start = 3), q(start = 1);
    discrete Real d;
    parameter Real p(fixed = false, start = 1), twice = 2*p, through(fixed = false), square = through^2;
  initial equation
    der(v) = 0;
    x = 5;
    p^2 = 4;
    q^3 = 27;
    square = 9*through/3 + 0*through;
  initial algorithm
    d := 7;
    for i in 1:3 loop
      d := d + i;
    end for;
  equation
    der(x) = -x;
    der(v) = 4 - v*v;
    der(q) = 1;
    when time > 2 then
      d = 0;
    end when;
    when terminal() then
      assert(abs(v - 2) < 1e-9 and abs(x - 5*exp(-1)) < 1e-4 and abs(q - 4) < 1e-6 and d == 13, "unknowns");
      assert(abs(p - 2) < 1e-9 and abs(twice - 4) < 1e-9, "p = " + String(p) + ", twice = " + String(twice));
    end when;
  end Start;

  model Reinitialised "Arrays at once, and what follows from a state"
    parameter Integer n = 3;
    Real x[n](each start = 1, each fixed = true), y(start = 1, fixed = true), z = 2*y;
  equation
    der(x) = -x;
    der(y) = -1;
    when time > 0.5 then
      reinit(x, fill(2, n));
      reinit(z, 4);
    end when;
    when terminal() then
      assert(abs(x[n] - 2*exp(-0.5)) < 1e-5 and abs(y - 1.5) < 1e-9, "y = " + String(y));
    end when;
  end Reinitialised;

  model Operators
    Real x(start = 0, fixed = true);
    Real step = noEvent(if x > 0.5 then 1 else 0), bounded = smooth(0, if x < 0.5 then x else 0.5), slopes = semiLinear(x - 0.5, 2, 3);
    Real h = homotopy(actual = x^2, simplified = x), late = delay(x, 0.25), later = delay(x, 0.1*(1 + x), 0.3);
  equation
    der(x) = 1;
    when terminal() then
      assert(step == 1 and bounded == 0.5 and abs(slopes - 1) < 1e-9 and abs(h - 1) < 1e-9, "functions");
      assert(abs(late - 0.75) < 1e-6 and abs(later - 0.8) < 1e-6, "delays");
    end when;
  end Operators;

  model Rounding
    Real u = time + 0.3, remainders[2] = {mod(-u, 0.7), rem(-u, 0.7)}, sawtooth = mod(10*time, 3);
    Integer d = div(-7, 2), m = mod(-7, 3), r = rem(-7, 3), i = integer(-1.5);
    Real up = ceil(-1.5), down = floor(-1.5), q = div(-7.5, 2), parts = mod(-1.4, 0.5);
  equation
    when terminal() then
      assert(d == -3 and m == 2 and r == -1 and i == -2 and up == -1 and down == -2 and q == -3 and abs(parts - 0.1) < 1e-12, "constants");
      assert(abs(remainders[1] - 0.1) < 1e-12 and abs(remainders[2] + 0.6) < 1e-12 and abs(sawtooth - 1) < 1e-9, "variables");
    end when;
  end Rounding;

  model Texts
    parameter String s = "abc", t = s + "def" + String(3) + String(true) + String(1.5), rows[2] = {"x", "y"};
    parameter String digits = String(3.14159, significantDigits = 3), right = String(7, minimumLength = 4, leftJustified = false);
    parameter String left = String(7, minimumLength = 4) + "|", formatted = String(3.14159, format = "8.3f"), whole = String(42, format = "05d");
    parameter String yes = String(true, minimumLength = 6, leftJustified = false), large = String(1e10);
  equation
    assert(t == "abcdef3true1.5" and "abc" < "abd" and rows[2] + "z" == "yz", t);
    assert(digits == "3.14" and right == "   7" and left == "7   |" and yes == "  true" and large == "1e+10", right + "|" + left);
    assert(formatted == "   3.142" and whole == "00042", formatted + "|" + whole);
  end Texts;

  model SampleAtTheEnd "3*0.1 is a little more than the stop time 0.3; the sample counts all the same"
    Integer n(start = 0, fixed = true);
  equation
    when sample(0, 0.1) then
      n = pre(n) + 1;
    end when;
    when terminal() then
      assert(n == 4, String(n) + " samples");
    end when;
    annotation(experiment(StopTime = 0.3));
  end SampleAtTheEnd;

  model ResultsTogether "several results of one call in a when-clause, by values that follow by hand"
    function step
      input Real u[3];
      input Real t;
      output Real y[3];
      output Real total;
    algorithm
      y := u + {t, 2*t, 3*t};
      total := sum(y);
    end step;
    function double
      input Real u[3];
      output Real y[3] = 2*u;
    end double;
    discrete Real a[3](each start = 0, each fixed = true), b(start = 0, fixed = true);
    discrete Real c[3](each start = 1, each fixed = true), k(start = 0, fixed = true);
    discrete Real p[3](each start = 0, each fixed = true), q(start = 0, fixed = true);
  equation
    when sample(1, 1) then
      (a, b) = step(pre(a), k); // k as it is after this event
      k = pre(k) + 1;
      c = double(pre(c));
    end when;
    when time > 1.5 then
      (p, q) = step(a, 1);
    elsewhen time > 2.5 then
      p = {7, 8, 9};
      q = b;
    end when;
    when terminal() then
      assert(k == 3 and a[3] == 18 and b == 36 and c[2] == 8, "one branch");
      assert(p[2] == 8 and q == 18, "two branches");
    end when;
    annotation(experiment(StopTime = 3.2));
  end ResultsTogether;
end Events;
