package Limits "Values that are no numbers, or beyond their limits (tests/unit/translate/test_limits.c)"
  partial model Swing "x = cos(t)"
    Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  equation
    der(x) = v;
    der(v) = -x;
  end Swing;

  model Between "y is no number from acos(-0.99) on, and one again before the next output; nothing needs it"
    extends Swing;
    Real y = sqrt(x + 0.99);
  end Between;

  model Aside "The same in a system that only results need"
    extends Swing;
    Real y(start = 1), z(start = 1);
  equation
    y + z = log(x + 0.99);
    y - 2*z = x;
  end Aside;

  model Beyond
    extends Swing(x(min = 0, max = 1));
    Real z(max = 0.5) = -x "Equal but for the sign: the narrower limit of x counts";
    Real a[3](each max = 2) = {time, 2*time, 0};
    Real small(min = 0) = -1e-7 "Within a millionth of the nominal value 1";
    Real large(min = 0, nominal = 1e6) = -0.5;
    Real tiny(min = 0, nominal = 1e-9) = -1e-12;
    parameter Real p = 3;
    Real q(max = p - 1) = 1.5;
    Integer k(max = 3, start = 0, fixed = true);
  equation
    when sample(0, 1) then
      k = pre(k) + 1;
    end when;
  end Beyond;

  model Doubtful "What is said at translation"
    extends Swing;
    parameter Real p = 0;
    Real y(unit = "kg*m") = 1, z(unit = "furlong") = 2;
    Real known[5](unit = {"degF", "dB", "rev/min", "", "m2/(V.s)"}) = ones(5);
    Integer k = 3;
    Boolean equal = x == v, other = time <> 0.5;
    Boolean fine = k == 3 and p == 0 and k <> 2, also = same(x, v), held = h == 2;
    Real h(start = 0, fixed = true) "Changes at events only";
    function same
      input Real a, b;
      output Boolean y = a == b;
    algorithm
    end same;
  equation
    when time > 0.5 then
      h = 2;
    end when;
  end Doubtful;
end Limits;
