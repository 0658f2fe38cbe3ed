package Picks "Functions that name derivatives of their inputs; what must come out is in tests/unit/translate/test_picks.c"

  function moved "The first input; its derivatives are the others"
    input Real u[3] "position, velocity, acceleration";
    input Real t "so that there is an input to differentiate";
    output Real x;
  algorithm
    x := u[1];
    annotation(derivative(noDerivative = u) = moved_1, InlineAfterIndexReduction = true);
  end moved;

  function moved_1
    input Real u[3];
    input Real t;
    input Real der_t;
    output Real v;
  algorithm
    v := u[2];
    annotation(derivative(noDerivative = u, order = 2) = moved_2, InlineAfterIndexReduction = true);
  end moved_1;

  function moved_2
    input Real u[3];
    input Real t;
    input Real der_t;
    input Real der2_t;
    output Real a;
  algorithm
    a := u[3];
    annotation(InlineAfterIndexReduction = true);
  end moved_2;

  model Carried "A mass tells another how it moves and gets back the force: both are one mass on one spring"
    parameter Real m1 = 1, m2 = 3, c = 4;
    Real x1(start = 1, fixed = true), v1(start = 0, fixed = true), a1, x2(start = 1, fixed = true), v2, f;
    Real told[3];
  equation
    v1 = der(x1);
    a1 = der(v1);
    m1*a1 = -c*x1 - f;
    told = {x1, v1, a1};
    x2 = moved(told, time);
    v2 = der(x2);
    m2*der(v2) = f;
    annotation(experiment(StopTime = 3, Tolerance = 1e-9));
  end Carried;

  model Opposite "The derivative has another name and another sign"
    parameter Real L1 = 1, L2 = 2, R = 3;
    Real i1(start = 1, fixed = true), i2, u, minus, slope;
  equation
    L1*der(i1) = -R*i1 - u;
    minus = -i1;
    slope = -der(minus);
    i2 = moved({-minus, slope, 0}, time);
    L2*der(i2) = u;
    annotation(experiment(StopTime = 2, Tolerance = 1e-9));
  end Opposite;

  function half
    input Real u[1];
    input Real t;
    output Real y;
  algorithm
    y := u[1]/2;
    annotation(derivative(noDerivative = u) = nothing);
  end half;

  function nothing
    input Real u[1];
    input Real t;
    input Real der_t;
    output Real y;
  algorithm
    y := 0;
  end nothing;

  model Partial "What noDerivative says of the time derivative is not true of a partial one"
    Real z;
  equation
    half({z}, time) + z = 3*time;
    annotation(experiment(StopTime = 1));
  end Partial;
end Picks;
