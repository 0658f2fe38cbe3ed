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

  model Steps "What comes next follows from what was"
    String s(start = "a");
    Real x(start = 0, fixed = true);
  equation
    when initial() then
      s = "first";
    elsewhen time > 0.5 then
      s = if pre(s) == "first" then "second" else "wrong";
    end when;
    der(x) = if s == "second" then 1 else if s == "first" then 10 else 1000;
    when terminal() then
      assert(abs(x - 5.5) < 1e-9, "x = " + String(x));
    end when;
    annotation(experiment(StopTime = 1));
  end Steps;

  model Parts "Elements of arrays and members of records; algorithms read them"
    record Named
      String name;
      Real value;
    end Named;
    Integer k = integer(time*10);
    String s[2] = {"a" + String(k), "b"};
    Named r(name = "r" + String(k), value = k);
    Real x(start = 0, fixed = true), y(start = 0, fixed = true), u;
    Integer c(start = 0, fixed = true);
  equation
    der(x) = if s[1] == "a5" then 1 else 0;
    der(y) = u;
  algorithm
    u := if s[1] == "a5" then 1 else if r.name == "r6" then 2 else 0;
    when r.name == "r7" then
      c := pre(c) + 1;
    end when;
  equation
    when terminal() then
      assert(abs(x - 0.1) < 1e-9 and abs(y - 0.3) < 1e-9 and c == 1, String(x) + " " + String(y) + " " + String(c));
    end when;
    annotation(experiment(StopTime = 1));
  end Parts;

  function count "The length of two texts"
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
