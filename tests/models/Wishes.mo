package Wishes "Which variables become states; what must come out is in tests/unit/translate/test_wishes.c"

  model Bearing "A mass on a spring and damper against a wall at phi0; the relative motion shall be the state"
    parameter Real phi0 = 0.5;
    parameter StateSelect stateSelect = StateSelect.prefer;
    Real phi(start = 0.6, fixed = true), w(start = 0, fixed = true);
    Real phi_rel(stateSelect = stateSelect, nominal = 1e-4), w_rel(stateSelect = stateSelect, nominal = 1e-4);
    Real a_rel, tau;
  equation
    der(phi) = w;
    2*der(w) = tau;
    phi_rel = phi - phi0;
    w_rel = der(phi_rel);
    a_rel = der(w_rel);
    tau = -8*phi_rel;
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end Bearing;

  model Plain "The same without wishes"
    extends Bearing(stateSelect = StateSelect.default);
  end Plain;

  model Chain "Two bodies on a spring: nobody differentiates the preferred speed"
    Real s1(start = 0, fixed = true), v1(start = 0, fixed = true), s2, v2;
    Real s_rel(stateSelect = StateSelect.prefer, start = 0.1, fixed = true);
    Real v_rel(stateSelect = StateSelect.prefer, start = 0, fixed = true);
    Real f;
  equation
    der(s1) = v1;
    der(s2) = v2;
    der(v1) = f;
    der(v2) = -f;
    s_rel = s2 - s1;
    v_rel = der(s_rel);
    f = 2*s_rel;
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end Chain;

  model Tank "Level and temperature are wanted; mass and energy are what is balanced"
    parameter Real rho = 1000, c = 4000, m_flow = 2, h = 2e5;
    Real level(stateSelect = StateSelect.prefer, start = 0.8), V(stateSelect = StateSelect.never);
    Real T(stateSelect = StateSelect.prefer, start = 300), m, U, u;
  equation
    V = 0.5*level + 0.1;
    m = rho*V;
    U = m*u;
    u = c*(T - 273);
    der(m) = m_flow;
    der(U) = m_flow*h;
    annotation(experiment(StopTime = 100, Tolerance = 1e-10));
  end Tank;

  model Vain "A wish that cannot be fulfilled: the preferred variable follows from the time"
    Real u(stateSelect = StateSelect.prefer) = abs(time - 1);
    Real x(start = 0, fixed = true);
  equation
    der(x) = u;
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Vain;

  model Blind "A pendulum whose speed another body shares: constraints of different depth"
    Real x(start = 0.6), y(start = -0.8), vx(start = 0), vy(start = 0), w(start = 0), lambda, mu;
  equation
    der(x) = vx;
    der(y) = vy;
    x^2 + y^2 = 1;
    w*(2 + x) = vx*y + vy;
    der(vx) = lambda*x + mu*y;
    der(vy) = lambda*y + mu - 9.81;
    der(w) = -mu*(2 + x);
  end Blind;
end Wishes;
