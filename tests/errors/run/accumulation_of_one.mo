model Balls
  parameter Real h0[3] = {1, 2, 3};
  Real h[3](start = h0, each fixed = true), v[3](each start = 0, each fixed = true);
equation
  der(h) = v;
  der(v) = fill(-9.81, 3);
  for i in 1:3 loop
    when h[i] < 0 then
      reinit(v[i], -0.5*pre(v[i]));
    end when;
  end for;
  annotation(experiment(StopTime = 5));
end Balls;
