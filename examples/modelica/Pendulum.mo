// plot: x y
// A point mass on a rod, written in Cartesian coordinates: three equations of motion and x^2 + y^2 = L^2. The constraint is
// differentiated twice, and two of the four positions and speeds become states; which two changes as the pendulum turns over.
//
//     rattleback simulate examples/modelica/Pendulum.mo
//     rattleback dump --stage=sorted examples/modelica/Pendulum.mo
model Pendulum "A pendulum that turns over, in Cartesian coordinates"
  parameter Real m(unit = "kg") = 1;
  parameter Real L(unit = "m") = 1;
  parameter Real g(unit = "m/s2") = 9.81;
  Real x(unit = "m", start = 0);
  Real y(unit = "m", start = -L, fixed = true);
  Real vx(unit = "m/s", start = 7, fixed = true);
  Real vy(unit = "m/s");
  Real F(unit = "N/m") "Force of the rod over its length";
  Real E(unit = "J") = m*(vx^2 + vy^2)/2 + m*g*y "Energy: stays the same";
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x;
  m*der(vy) = -F*y - m*g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 5, Tolerance = 1e-9));
end Pendulum;
