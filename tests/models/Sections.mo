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
end Sections;
