package Hard "Nonlinear systems far from their solutions; what must come out is in tests/unit/translate/test_hard_systems.c"

  model BadlyScaled "Powell"
    Real x(start = 0), y(start = 1);
  equation
    1e4*x*y = 1;
    exp(-x) + exp(-y) = 1.0001;
  end BadlyScaled;

  model Helical "Helical valley, Fletcher and Powell; equations mixed, so that nothing can be torn"
    Real x(start = -1), y(start = 0), z(start = 0);
    Real theta = atan2(y, x)/(2*3.14159265358979323846);
  equation
    10*(z - 10*theta) + 0.001*(sqrt(x^2 + y^2) - 1) = 0;
    10*(sqrt(x^2 + y^2) - 1) + 0.002*(z - 10*theta) = 0;
    z + 0.1*(sqrt(x^2 + y^2) - 1) = 0;
  end Helical;

  model Units "Residuals in units that differ by twelve orders of magnitude"
    Real p(start = 1e5), m(start = 0.1);
  equation
    1e6*(p*1e-5 - 2 + atan(m)*1e-3) = 0;
    1e-6*(atan(5*(m - 3)) + 1e-6*(p*1e-5 - 2 + atan(m)*1e-3)^3) = 0;
  end Units;

  model Inverse "Nothing can be evaluated at zero"
    Real y;
  equation
    1/y + y = 2.5;
  end Inverse;

  model Alike "At the start values both equations say the same of x + y, and nothing of x - y"
    Real x(start = 1), y(start = 1), larger = max(x, y), smaller = min(x, y);
  equation
    x^2 + y^2 = 2;
    x*y = 0.5;
  end Alike;

  model Open "Two equations for x + y that say the same, none for x - y"
    parameter Real sum = 3;
    Real x(start = 1), y(start = 1), z(start = 0.5);
  equation
    exp(x + y) = exp(3);
    (x + y)^3 = sum^3;
    z^3 + x + y = 4;
  end Open;

  model Exponential
    Real a(start = 3), b(start = -4);
  equation
    exp(a) + a*b - 1 = 0;
    sin(a*b) + a + b - 1 = 0;
  end Exponential;

  model Homotopy "y^3 - 3 y = 1 has the solutions 2 cos(20 degrees + k 120 degrees)"
    Real y(start = -0.3);
    Real z(start = -0.3);
  equation
    homotopy(actual = y^3 - 3*y, simplified = 6*(y - 2) + 2) = 1;
    z^3 - 3*z = 1;
  end Homotopy;
end Hard;
