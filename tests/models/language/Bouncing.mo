package Bouncing "Balls that come to rest at the end of their bounces"
  model Ball "An impact is a bounce; being below without one is rest"
    parameter Real e = 0.8, g = 9.81, h0 = 1;
    parameter Real t_end = sqrt(2*h0/g)*(1 + e)/(1 - e) "flights 2 e^k sqrt(2 h0/g) after the first half: a geometric series";
    Real h(start = h0, fixed = true), v(start = 0, fixed = true);
    Boolean flying(start = true, fixed = true), impact = h <= 0;
    discrete Real v_new(start = 0, fixed = true), rested(start = -1, fixed = true);
  equation
    der(h) = v;
    der(v) = if flying then -g else 0;
    when {h <= 0 and v <= 0, impact} then
      v_new = if edge(impact) then -e*pre(v) else 0;
      flying = v_new > 0;
      reinit(v, v_new);
    end when;
    when not flying then
      rested = time;
    end when;
    when terminal() then
      assert(abs(rested - t_end) < 1e-3, "it rests at " + String(rested) + " s, not " + String(t_end) + " s");
      assert(abs(h) < 1e-9 and v == 0, "h = " + String(h));
    end when;
    annotation(experiment(StopTime = 6, Tolerance = 1e-9));
  end Ball;

  model Stopped "Rest below a speed"
    parameter Real e = 0.7, slow = 0.01;
    Real h(start = 1, fixed = true), v(start = 0, fixed = true);
    Boolean rest(start = false, fixed = true);
  equation
    der(h) = if rest then 0 else v;
    der(v) = if rest then 0 else -9.81;
    when h < 0 then
      rest = e*abs(pre(v)) < slow;
      reinit(v, if e*abs(pre(v)) < slow then 0 else -e*pre(v));
    end when;
    when terminal() then
      assert(rest and abs(h) < 1e-9, "h = " + String(h));
    end when;
    annotation(experiment(StopTime = 5));
  end Stopped;
end Bouncing;
