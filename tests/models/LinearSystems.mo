package LinearSystems "Large linear systems with known solutions; see tests/unit/translate/test_linear_systems.c"
  constant Real pi = 3.14159265358979323846;

  // ---- algebraic: sparse elimination ----

  model Ladder "Equal resistors in series and to ground: potentials are quotients of Fibonacci numbers"
    parameter Integer n = 300;
    parameter Real u = 1;
    parameter Real R = 1;
    Real v[n + 1], i[n], s[n];
  equation
    v[1] = u*(1 + time);
    for k in 1:n loop
      R*i[k] = v[k] - v[k + 1];
      R*s[k] = v[k + 1];
    end for;
    for k in 1:n - 1 loop
      i[k] = s[k] + i[k + 1];
    end for;
    i[n] = s[n];
  end Ladder;

  model Grid "Square grid of equal resistors: x^2 - y^2 is harmonic on it, too"
    parameter Integer n = 22;
    Real v[n + 2, n + 2];
  equation
    for j in 1:n + 2 loop
      for k in 1:n + 2 loop
        if j == 1 or k == 1 or j == n + 2 or k == n + 2 then
          v[j, k] = (j^2 - k^2)*(1 + time);
        else
          (v[j, k] - v[j - 1, k]) + (v[j, k] - v[j + 1, k]) + (v[j, k] - v[j, k - 1]) + (v[j, k] - v[j, k + 1]) = 0;
        end if;
      end for;
    end for;
  end Grid;

  model Switched "The ladder with a switch at its end: the matrix changes at events only"
    parameter Integer n = 60;
    Real v[n + 1], i[n], s[n];
    Boolean open = time < 0.5;
  equation
    v[1] = 1 + time;
    for k in 1:n loop
      i[k] = v[k] - v[k + 1];
    end for;
    for k in 1:n - 1 loop
      s[k] = v[k + 1];
      i[k] = s[k] + i[k + 1];
    end for;
    s[n] = (if open then 0 else 1)*v[n + 1];
    i[n] = s[n];
  end Switched;

  // ---- derivatives: residual form ----

  model Bar "Elastic bar of n elements with their true, coupled masses, vibrating in one mode"
    parameter Integer n = 60;
    parameter Integer mode = 3;
    parameter Real theta = mode*pi/(n + 1);
    parameter Real omega = sqrt(6*(2 - 2*cos(theta))/(4 + 2*cos(theta)));
    Real x[n](start = {sin(k*theta) for k in 1:n}, each fixed = true);
    Real v[n](each start = 0, each fixed = true);
    Real a[n], f[n + 1] "Forces in the elements", m[n] "Forces of inertia";
  equation
    der(x) = v;
    der(v) = a;
    f[1] = x[1];
    for k in 2:n loop
      f[k] = x[k] - x[k - 1];
    end for;
    f[n + 1] = -x[n];
    6*m[1] = 4*a[1] + a[2];
    for k in 2:n - 1 loop
      6*m[k] = a[k - 1] + 4*a[k] + a[k + 1];
    end for;
    6*m[n] = a[n - 1] + 4*a[n];
    for k in 1:n loop
      m[k] = f[k + 1] - f[k];
    end for;
  end Bar;

  model TwoBars "A second bar is driven by the acceleration of the first: two systems, one after the other"
    extends Bar;
    Real y[n](each start = 0, each fixed = true);
    Real w[n](each start = 0, each fixed = true);
  equation
    der(y) = w;
    for k in 1:n loop
      4*der(w[k]) + (if k > 1 then der(w[max(k - 1, 1)]) else 0) + (if k < n then der(w[min(k + 1, n)]) else 0) =
        4*a[k] + (if k > 1 then a[max(k - 1, 1)] else 0) + (if k < n then a[min(k + 1, n)] else 0);
    end for;
  end TwoBars;

  model MeasuredBar "An explicit equation that needs a derivative that is not solved for"
    extends Bar;
    Real speed(start = 0, fixed = true) "Integral of an acceleration";
  equation
    der(speed) = a[1];
  end MeasuredBar;

  partial model Ring "Coils on a ring, each coupled with all others: a mode decays with lambda/R"
    constant Integer n = 52 "Not free: L*der(i) = ... with a constant L of free size is solved as a whole";
    parameter Integer mode = 1;
    parameter Real L[n, n] = {{0.6^min(abs(j - k), n - abs(j - k)) for k in 1:n} for j in 1:n};
    parameter Real lambda = sum(L[1, j]*cos(2*pi*mode*(j - 1)/n) for j in 1:n);
    Real i[n](start = {cos(2*pi*mode*(k - 1)/n) for k in 1:n}, each fixed = true);
  end Ring;

  model Coils
    extends Ring;
    parameter Real R = 1;
  equation
    for k in 1:n loop
      sum(L[k, j]*der(i[j]) for j in 1:n) + R*i[k] = 0;
    end for;
  end Coils;

  model Moving "The coils come closer: the matrix depends on time"
    extends Ring;
  equation
    for k in 1:n loop
      (1 + time)*sum(L[k, j]*der(i[j]) for j in 1:n) + i[k] = 0;
    end for;
  end Moving;

  model Switching "The resistance doubles when a current has fallen to a half, and once more when its slope has"
    extends Ring;
    Real R(start = 1, fixed = true);
    Real slope = der(i[1]);
  equation
    for k in 1:n loop
      sum(L[k, j]*der(i[j]) for j in 1:n) + R*i[k] = 0;
    end for;
    der(R) = 0;
    when i[1] < 0.5 then
      reinit(R, 2);
    end when;
    when slope > -0.25/lambda then
      reinit(R, 4);
    end when;
  end Switching;

  model Star "Three conductors with a common inductance; the current of their star point is given, so that its own is, too"
    parameter Real R = 2, L = 0.1, i_star = 0.6;
    Real i[3], u[3] = {sin(time), cos(time), sin(2*time)}, i0, v0, v_star;
  equation
    i[1] + i[2] + i[3] = i_star;
    3*i0 = i[1] + i[2] + i[3];
    v0 = L*der(i0);
    for k in 1:3 loop
      u[k] = R*i[k] + v0 + v_star;
    end for;
  end Star;
end LinearSystems;
