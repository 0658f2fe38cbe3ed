package Pipes "spatialDistribution: what comes out of a pipe, in closed form"
  constant Real pi = 3.141592653589793;

  model Steady "At constant speed a delay"
    Real x(start = 0, fixed = true), out0, out1, late;
  equation
    der(x) = 2.5;
    (out0, out1) = spatialDistribution(sin(3*time), 7, x, true, {0, 0.5, 1}, {0, 1, 4});
    // before 0.4 s the first content: 4 at the end, 1 in the middle, 0 at the beginning
    late = if time < 0.2 then 4 - 6*x else if time < 0.4 then 2*(1 - x) else sin(3*(time - 0.4));
    assert(abs(out1 - late) < 1e-6, "out1 is " + String(out1, significantDigits = 9) + ", not " + String(late, significantDigits = 9));
    assert(out0 == sin(3*time), "in0");
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Steady;

  model Accelerated "x = t^2: what comes out at t came in at sqrt(t^2 - 1)"
    Real x(start = 0, fixed = true), out0, out1;
  equation
    der(x) = 2*time;
    (out0, out1) = spatialDistribution(in0 = cos(time), in1 = 0, x = x, positiveVelocity = true, initialPoints = {0, 1}, initialValues = {1, 3});
    assert(abs(out1 - (if time < 1 then 3 - 2*time^2 else cos(sqrt(max(0, time^2 - 1))))) < 2e-6, String(out1));
    annotation(experiment(StopTime = 4, Tolerance = 1e-8));
  end Accelerated;

  model Turning "x = 0.8 sin t: the medium goes half into the pipe and comes back, on both sides"
    Real x(start = 0, fixed = true), v = 0.8*cos(time), out0, out1, back0, back1;
  equation
    der(x) = v;
    (out0, out1) = spatialDistribution(time, 10 + time, x, v >= 0, {0, 1}, {2, 4});
    // on the left what came in at the same x, that is at pi - t; then the first content, of which what was behind 0.2 was pushed out on
    // the right until pi/2; then what came in there
    back0 = if time < pi then pi - time else if x > -0.2 then 2 - 2*x else 10 + pi - asin(min(1, (1 + x)/0.8));
    back1 = 4 - 2*x;
    assert(v < 1e-6 or abs(out0 - time) < 1e-9, "in0 at " + String(time));
    assert(v > -1e-6 or abs(out1 - 10 - time) < 1e-9, "in1 at " + String(time));
    assert(v > -1e-3 or abs(time - pi) < 1e-3 or abs(x + 0.2) < 1e-3 or abs(out0 - back0) < 1e-5, "out0 at " + String(time) + " is " + String(out0) + ", not " + String(back0));
    assert(v < 1e-3 or time > pi or abs(out1 - back1) < 1e-5, "out1 at " + String(time) + " is " + String(out1) + ", not " + String(back1));
    // from 3 pi/2 on it goes to the right again: what came in there at 3 pi - t comes out
    assert(v < 1e-3 or time < pi or time > 2*pi or abs(out1 - 10 - (3*pi - time)) < 1e-5, "out1 at " + String(time) + " is " + String(out1));
    annotation(experiment(StopTime = 6.2, Tolerance = 1e-9));
  end Turning;

  model Jumps "A step comes out a pipe later, as high as it was"
    Real x(start = 0, fixed = true), out0, out1, total(start = 0, fixed = true);
  equation
    der(x) = 1;
    (out0, out1) = spatialDistribution(if time < 0.5 then 1 else 3, 0, x, true);
    der(total) = out1;
    when terminal() then
      // 1 from 1 s to 1.5 s, then 3
      assert(abs(total - 5) < 1e-3, String(total));
    end when;
    assert(time < 1.51 or abs(out1 - 3) < 1e-9, String(out1));
    annotation(experiment(StopTime = 3, Tolerance = 1e-6));
  end Jumps;

  model Loop "A ring: what comes out goes in again, ten times"
    Real x(start = 0, fixed = true), out0, out1;
  equation
    der(x) = 1 + 0.5*sin(time);
    (out0, out1) = spatialDistribution(out1, 0, x, true, {0, 0.25, 0.5, 0.75, 1}, {0, 1, 0, -1, 0});
    when terminal() then
      assert(abs(x - 10.5 + 0.5*cos(10)) < 1e-5 and abs(out1 - wave(1 - x + 10)) < 1e-3, String(x) + ": " + String(out1));
    end when;
    annotation(experiment(StopTime = 10, Tolerance = 1e-9));
  protected
    function wave "the first content, at y from -1 to 1"
      input Real y;
      output Real z;
    protected
      Real s = y - floor(y);
    algorithm
      z := if s < 0.25 then 4*s else if s < 0.75 then 2 - 4*s else 4*s - 4;
    end wave;
  end Loop;
end Pipes;
