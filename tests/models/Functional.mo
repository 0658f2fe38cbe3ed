// SPDX-License-Identifier: MIT
// Functions as arguments of functions.
package Functional
  partial function Scalar
    input Real u;
    output Real y;
  end Scalar;

  function cubic "a u^3 + b[1] u + b[2]"
    extends Scalar;
    input Real a = 1;
    input Real b[2] = {0, 0};
  algorithm
    y := a*u^3 + b[1]*u + b[2];
  end cubic;

  function integral "By Simpson's rule, which is exact for cubic polynomials"
    input Scalar f;
    input Real from;
    input Real to;
    output Real s;
  algorithm
    s := (to - from)/6*(f(from) + 4*f((from + to)/2) + f(to));
  end integral;

  function mean "Hands its function on"
    input Scalar f;
    input Real width;
    output Real y;
  algorithm
    y := integral(f, 0, width)/width;
  end mean;

  function root "By bisection"
    input Scalar f;
    input Real low;
    input Real high;
    output Real x;
  protected
    Real a = low;
    Real b = high;
  algorithm
    for k in 1:60 loop
      x := (a + b)/2;
      if f(x) > 0 then
        b := x;
      else
        a := x;
      end if;
    end for;
  end root;

  record Gains
    Real p;
    Real q;
  end Gains;

  function line
    extends Scalar;
    input Gains g;
  algorithm
    y := g.p*u + g.q;
  end line;

  model Polynomials
    Real known = integral(cubic, 0, 2);
    Real varying = integral(function cubic(a = time, b = {1, time}), 0, 2);
    Real average = mean(function cubic(a = 4*time), 3);
    Real third = root(function cubic(b = {0, -time}), 0, 2);
    Real straight = integral(function line(g = Gains(time, 2)), 0, 1);
  end Polynomials;

  function powers "u + u^2 + u^3 + 3 u, by loops in place"
    extends Scalar;
  algorithm
    y := sum(u^k for k in 1:3) + {k*u for k in 1:2}*{1, 1};
  end powers;

  model Rate "The derivative of sums and arrays with iterators"
    Real y = powers(time), rate = der(y);
  end Rate;

  model Slope "The derivative of an integral is taken through the function"
    Real x(start = 1, fixed = true), y;
  equation
    der(x) = -x;
    y = integral(function cubic(a = x), 0, 1);
    annotation(experiment(StopTime = 1));
  end Slope;
end Functional;
