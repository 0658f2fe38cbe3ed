package Watched "Runs that cannot go on, or should not"
  model Growing
    Real x(start = 0.25, fixed = true);
  equation
    der(x) = x;
    annotation(experiment(StopTime = 2));
  end Growing;

  model Assertion
    extends Growing;
  equation
    assert(x < 0.5, "x is too large");
    annotation(experiment(StopTime = 2));
  end Assertion;

  model Warning
    extends Growing;
  equation
    assert(x < 0.5, "x is large", AssertionLevel.warning);
    annotation(experiment(StopTime = 2));
  end Warning;

  function checked
    input Real x;
    output Real y;
  algorithm
    assert(x < 0.5, "x is too large");
    y := x;
  end checked;

  model AssertionInFunction "No derivative needs the function"
    extends Growing;
    Real y = checked(x);
    annotation(experiment(StopTime = 2));
  end AssertionInFunction;

  model Fold "Two solutions meet and vanish"
    Real x(start = 1);
  equation
    x^2 = 0.5 - time;
  end Fold;

  model FoldOfTwo
    Real x(start = 1), y(start = 1);
  equation
    x*y = 0.5 - time;
    x^3 = y^3;
  end FoldOfTwo;

  model Singular "No solution at t = 2"
    Real x, y;
    discrete Real t(start = 0, fixed = true);
  equation
    when sample(0, 1) then
      t = time;
    end when;
    (2 - t/2)*x + y = 1;
    x + y = 2;
    annotation(experiment(StopTime = 3));
  end Singular;

  model Root
    Real x = sqrt(0.3 - time);
  end Root;
end Watched;
