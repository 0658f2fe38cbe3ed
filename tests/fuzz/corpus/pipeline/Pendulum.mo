model Pendulum "A point mass on a rod in Cartesian coordinates: an index-3 system whose states must be changed as it turns over"
  parameter Real m(unit = "kg") = 1;
  parameter Real L(unit = "m") = 1;
  parameter Real g(unit = "m/s2") = 9.81;
  Real x(unit = "m", start = 0);
  Real y(unit = "m", start = -1, fixed = true);
  Real vx(unit = "m/s", start = 7, fixed = true) "Enough to pass the top: 4 g L = 39.24 < 49";
  Real vy(unit = "m/s");
  Real F(unit = "N/m") "Force of the rod over its length";
  Real E(unit = "J") = m*(vx^2 + vy^2)/2 + m*g*y;
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x;
  m*der(vy) = -F*y - m*g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 10, Tolerance = 1e-9));
end Pendulum;
