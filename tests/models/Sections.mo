package Sections "Algorithm sections; what must come out is in tests/unit/translate/test_sections.c"

  model Inertial "A signal that must hold for 0.3 s; the time of the next event is computed by the algorithm itself"
    Boolean x = time > 1 and time < 1.2 or time > 2;
    Boolean y(start = false, fixed = true);
    discrete Real t_next(start = 1e9, fixed = true);
  algorithm
    when change(x) then
      t_next := time + 0.3;
    elsewhen time >= t_next then
      y := x;
    end when;
    annotation(experiment(StopTime = 3));
  end Inertial;

  model Search "A loop that is left early"
    parameter Real a[4] = {1, 2, 3, 4};
    Integer first;
  algorithm
    first := 5;
    for i in 1:4 loop
      if a[i] > time then
        first := i;
        break;
      end if;
    end for;
    annotation(experiment(StopTime = 5));
  end Search;

  model Buttons "An array of conditions that the algorithm assigns"
    Boolean pressed[2] = {time > 1 and time < 1.5, time > 2};
    Boolean seen[2];
    Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  algorithm
    seen := pressed;
    when seen then
      n := pre(n) + 1;
    end when;
    when seen[2] then
      m := pre(m) + 1;
    end when;
    annotation(experiment(StopTime = 3));
  end Buttons;

  model Crossings "Conditions on elements of an array of states, and on what the algorithm assigns"
    Real x[2](start = {-1, -1.5}, each fixed = true);
    discrete Real k(start = 0), n(start = 0), at(start = 0);
  equation
    der(x) = {1, 1};
  algorithm
    when {x[1] > 0, x[2] > 0} then
      k := pre(k) + 1;
    end when;
  algorithm
    when x[1] > 0.2 then
      n := 1;
    elsewhen x[2] > 0.1 + 0.1*n then
      n := 5;
      at := time;
    end when;
    annotation(experiment(StopTime = 2));
  end Crossings;

  model Converter "A continuous equation may use what an algorithm computes at events"
    Real y(start = 0, fixed = true), out(start = 0, fixed = true), plus, minus;
  algorithm
    when sample(1, 1) then
      y := 0;
      for k in 1:3 loop
        y := y + k*time;
      end for;
      out := y/6;
    end when;
  equation
    plus - minus = out;
    minus = 0;
    annotation(experiment(StopTime = 3.5));
  end Converter;

  function scaled
    input Real u[:];
    input Real k;
    output Real y[size(u, 1)];
  algorithm
    y := twice(k*u);
  end scaled;

  function twice "of one number"
    input Real u;
    output Real y;
  algorithm
    y := u + u;
  end twice;

  model Elements "Functions of numbers applied to arrays: of open size, of no size, several at a time"
    parameter Integer n = 0;
    Real y[3] = scaled({1, 2, 3}, time), none[n] = semiLinear(time, fill(1, n), fill(2, n));
    Real m[2] = mod({5, 7}, 3), s[2] = semiLinear(time - 1, {1, 2}, {3, 4});
    Real many = sum(array(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20));
  equation
    assert(getInstanceName() == "Elements", "the name of the model is " + getInstanceName());
    annotation(experiment(StopTime = 2));
  end Elements;

  model Results "n results of one call in a when-clause"
    parameter Integer n = 100;
    function shift
      input Real u[:];
      input Real t;
      output Real y[size(u, 1)] = u .+ t;
      output Real last = t;
    end shift;
    discrete Real a[n](each start = 0, each fixed = true), b(start = 0, fixed = true);
  equation
    when sample(0.1, 0.1) then
      (a, b) = shift(pre(a), time);
    end when;
  end Results;

  model ManyResults = Results(n = 400);
end Sections;
