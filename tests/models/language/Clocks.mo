package Clocks "The synchronous language: values by closed forms or by hand"
  model Controller "A discrete PI controller on x' = (u - x)/T, whose steps are exact between ticks"
    parameter Real T = 0.4, k = 1.5, Ti = 0.7;
    constant Integer last = 20;
    Real x(start = 0.2, fixed = true), u, xd, e, i(start = 0.1), ud;
    function recurrence "the value of x at the end"
      input Real T, k, Ti;
      output Real x = 0.2;
    protected
      Real i = 0.1, e, a = exp(-0.1/T);
    algorithm
      for n in 1:last loop
        e := 1 - x;
        i := i + 0.1/Ti*e;
        x := a*x + (1 - a)*k*(e + i);
      end for;
    end recurrence;
  equation
    T*der(x) = u - x;
    xd = sample(x, Clock(1, 10));
    e = 1 - xd;
    i = previous(i) + interval(e)/Ti*e;
    ud = k*(e + i);
    u = hold(ud);
    when terminal() then
      assert(abs(x - recurrence(T, k, Ti)) < 1e-7, "x is " + String(x, significantDigits = 12));
    end when;
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end Controller;

  model Methods "x' = -x in ten steps"
    Clock c = Clock(1, 10);
    Real e(start = 1), i(start = 1), t(start = 1), he, hi, ht;
  equation
    when Clock(c, "ExplicitEuler") then
      der(e) = -e;
    end when;
    when Clock(c, solverMethod = "ImplicitEuler") then
      der(i) + i = 0;
    end when;
    when Clock(c, "ImplicitTrapezoid") then
      der(t) = -t;
    end when;
    he = hold(e);
    hi = hold(i);
    ht = hold(t);
    when terminal() then
      assert(abs(he - 0.9^10) < 1e-12 and abs(hi - 1.1^(-10)) < 1e-9 and abs(ht - (0.95/1.05)^10) < 1e-9, String(he));
    end when;
    annotation(experiment(StopTime = 1.05));
  end Methods;

  model Events "A clock that ticks when sin(20 t) rises through 0.5: every pi/10 s"
    constant Real pi = 3.141592653589793;
    Integer n(start = 0), second(start = 0);
    Real between;
    Boolean first;
  equation
    when Clock(sin(20*time) > 0.5, 0.3) then
      n = previous(n) + 1;
      between = interval();
      first = firstTick();
      assert(first and between == 0.3 or not first and abs(between - pi/10) < 1e-6, String(between));
    end when;
    second = subSample(shiftSample(n, 1), 2);
    when terminal() then
      assert(hold(n) == 7 and hold(second) == 6, String(hold(n)) + ", " + String(hold(second)));
    end when;
    annotation(experiment(StopTime = 2, Tolerance = 1e-9));
  end Events;

  model Encoder "A clock whose tick ends the condition that made it tick; one whose condition holds from the start"
    Real phi(start = 0, fixed = true), offset;
    Clock turn = Clock(abs(phi - offset) > 1), never = Clock(phi > -1);
    Integer n(start = 0), none(start = 0);
  equation
    der(phi) = 10;
    offset = hold(sample(phi, turn));
    when turn then
      n = previous(n) + 1;
    end when;
    when never then
      none = previous(none) + 1;
    end when;
    when terminal() then
      assert(hold(n) == 9 and abs(offset - 9) < 1e-6 and hold(none) == 0, String(hold(n)) + " turns");
    end when;
    annotation(experiment(StopTime = 0.95));
  end Encoder;

  model Varying "Each interval is longer than the one before by 1/100 s, then by a half"
    Integer counter(start = 0), n(start = 0);
    Real wait(start = 0.1), at;
  equation
    when Clock(counter, 100) then
      counter = previous(counter) + 1;
      n = previous(n) + 1;
    end when;
    when Clock(wait) then
      wait = 1.5*previous(wait);
      at = sample(time);
    end when;
    when terminal() then
      assert(hold(n) == 14, String(hold(n))); // at 0, 0.01, 0.03, 0.06 ... 0.91
      assert(abs(hold(at) - 0.7125) < 1e-12, String(hold(at))); // 0.15 + 0.225 + 0.3375
    end when;
    annotation(experiment(StopTime = 1));
  end Varying;

  model Inference "Clocks that follow from others, both ways, and clocks as variables"
    Clock fast = Clock(1, 20), slow, any = Clock();
    Real a = sample(time, any), b, c;
    Integer n(start = 0);
  equation
    slow = subSample(fast, 4);
    b = sample(2*time, slow);
    a = superSample(b, 2) - c;
    n = previous(n) + (if a > -1 then 1 else 2);
    when terminal() then
      assert(hold(n) == 11, String(hold(n)));
      assert(abs(hold(c) - 1) < 1e-12, String(hold(c)));
    end when;
    annotation(experiment(StopTime = 1));
  end Inference;

  model Sections "An algorithm begins with the previous values; arrays and relations of clocked values"
    Integer k(start = 0), turns(start = 0);
    Real v[3](each start = 1), w(start = 2), s[2];
  algorithm
    when Clock(1, 10) then
      k := k + 1;
      if k > 5 then
        k := 0;
        turns := turns + 1;
      end if;
    end when;
  equation
    s = sample({time, 1 - time}, Clock(1, 10));
    v = previous(v)*0.5 + {s[1], s[2], previous(v[1])};
    w^3 + w = 9 + s[1] + s[2];
    when terminal() then
      assert(hold(k) == 5 and hold(turns) == 1, String(hold(k)) + " " + String(hold(turns)));
      assert(abs(hold(w) - 2) < 1e-9, String(hold(w)));
      assert(abs(hold(v[1]) - 1.80068359375) < 1e-12, String(hold(v[1]))); // 2^(-11) + sum of n/10 2^(n - 10), n = 0 ... 10
    end when;
    annotation(experiment(StopTime = 1));
  end Sections;
end Clocks;
