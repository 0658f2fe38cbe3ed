package Texts "String variables: in equations, kept between events, in conditions, as arguments"
  model Follow "A String follows from numbers"
    Integer iv = 2, k = integer(time*10);
    parameter Integer ip = 2;
    String s = "abc" + String(iv), sp = "abc" + String(ip), sk = "k" + String(k);
    Boolean same = s == sp, is5 = sk == "k5";
    Integer fired(start = 0, fixed = true), direct(start = 0, fixed = true);
    Real a(start = 0, fixed = true), b(start = 0, fixed = true);
  equation
    der(a) = if sk == "k5" then 1 else 0;
    der(b) = if sk < "k3" then 1 else 0 "k0, k1, k2, and k10 at the very end";
    when is5 then
      fired = pre(fired) + 1;
    end when;
    when "k" + String(k) == "k7" then
      direct = pre(direct) + 1;
    end when;
    when terminal() then
      assert(s == "abc2" and same and s <> "abc", "s is " + s);
      assert(abs(a - 0.1) < 1e-9 and abs(b - 0.3) < 1e-9, "a = " + String(a) + ", b = " + String(b));
      assert(fired == 1 and direct == 1, String(fired) + " and " + String(direct) + " times");
    end when;
    annotation(experiment(StopTime = 1));
  end Follow;

  model Kept "A String keeps what an event gave it; others follow from it"
    parameter String last = "zz";
    discrete String s(start = "a", fixed = true);
    String p, u;
    Integer n(start = 0, fixed = true), changes(start = 0, fixed = true);
    Real a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
  equation
    when time > 0.5 then
      s = "b";
    elsewhen time > 0.8 then
      s = last;
    end when;
    p = s;
    if time < 0.25 then
      u = "lo";
    else
      u = "hi" + p;
    end if;
    der(a) = if s == "a" then 1 else 0;
    der(b) = if p == "b" then 1 else 0;
    der(c) = if last == s then 1 else if u == "lo" then 10 else 0;
    when u == "hib" then
      n = pre(n) + 1;
    end when;
    when change(s) then
      changes = pre(changes) + 1;
    end when;
    when terminal() then
      assert(abs(a - 0.5) < 1e-9 and abs(b - 0.3) < 1e-9 and abs(c - 2.7) < 1e-9, String(a) + " " + String(b) + " " + String(c));
      assert(n == 1 and changes == 2, String(n) + " and " + String(changes) + " times");
    end when;
    annotation(experiment(StopTime = 1));
  end Kept;

  function count "How often a text has become this long"
    input String s;
    output Integer n;
  algorithm
    n := if s == "a" then 1 elseif s == "bbb" then 3 else 0;
  end count;

  model Arguments "A String that varies is the argument of a function"
    String s;
    Real x(start = 0, fixed = true);
  equation
    s = if time > 0.25 then "bbb" else "a";
    der(x) = count(s);
    when terminal() then
      assert(abs(x - 2.5) < 1e-9, "x = " + String(x));
    end when;
    annotation(experiment(StopTime = 1));
  end Arguments;
end Texts;
