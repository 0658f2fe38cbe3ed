package P
  constant Real g = 9.81;
  connector Flange Real phi; flow Real tau; end Flange;
  model Inertia
    parameter Real J(min=0) = 1;
    Flange a, b;
    Real phi(start=1, fixed=true), w(start=0);
  equation
    phi = a.phi; phi = b.phi; w = der(phi); J*der(w) = a.tau + b.tau;
  end Inertia;
  model Spring
    parameter Real c = 10, d = 0.1;
    Flange a, b;
    Real phi_rel = b.phi - a.phi, tau;
  equation
    tau = c*phi_rel + d*der(phi_rel);
    b.tau = tau; a.tau = -tau;
  end Spring;
  function f input Real x[:]; output Real y; algorithm y := 0; for i in 1:size(x,1) loop y := y + x[i]*g; end for; end f;
  model Chain
    parameter Integer n = 4;
    Inertia i[n](J = {0.1*k for k in 1:n}, each w(start = 2));
    Spring s[n-1](each c = 5);
    Real q[n] = i.phi; Real z = f(q); Boolean hit(start=false);
    Real h(start=1), v;
  equation
    for k in 1:n-1 loop connect(i[k].b, s[k].a); connect(s[k].b, i[k+1].a); end for;
    der(h) = v; der(v) = -g;
    hit = h < 0;
    when h < 0 then reinit(v, -0.8*pre(v)); end when;
    annotation(experiment(StopTime=2));
  end Chain;
end P;
