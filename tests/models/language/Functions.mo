package Functions "Partial derivatives of functions, functions that are outer, start values that follow from what is found"
  function f
    input Real x, y;
    output Real z = x^2*y + sin(y), w;
  protected
    Real a;
  algorithm
    a := 1;
    for i in 1:3 loop
      a := a*x;
    end for;
    w := if y > 0 then a*y else a; // x^3 y
  end f;

  model Partial "Closed forms of derivatives of one and of several inputs"
    function fx = der(f, x);
    function fy = der(f, y) "with respect to y";
    function fxy = der(f, x, y);
    function fxx = der(f, x, x);
    function g "its derivative is annotated, and is what shows"
      input Real u;
      output Real v;
    algorithm
      v := u^2;
      annotation(derivative = dg);
    end g;
    function dg
      input Real u, du;
      output Real dv = 3*u*du;
    end dg;
    function g1 = der(g, u);
    function h "a function of a function"
      input Real u, t[2];
      output Real y = fx(u, t[1])*t[2];
    end h;
    function hu = der(h, u);
    function norm "an array among inputs and locals"
      input Real u, t[:];
      output Real y = sqrt(v*v);
    protected
      Real v[size(t, 1)] = u*t;
    end norm;
    function normu = der(norm, u);
    Real u = 1 + time, v = 2 - time, x1, x2, y1, y2, xy1, xx2;
  equation
    (x1, x2) = fx(u, v);
    (y1, y2) = fy(u, v);
    xy1 = fxy(u, y = v);
    (, xx2) = fxx(u, v);
    when {time > 0.3, terminal()} then
      assert(abs(x1 - 2*u*v) < 1e-9 and abs(x2 - 3*u^2*v) < 1e-9, String(x1));
      assert(abs(y1 - u^2 - cos(v)) < 1e-9 and abs(y2 - u^3) < 1e-9, String(y1));
      assert(abs(xy1 - 2*u) < 1e-9 and abs(xx2 - 6*u*v) < 1e-9, String(xx2));
      assert(abs(g1(u) - 3*u) < 1e-9, String(g1(u)));
      assert(abs(hu(u, {v, 5}) - 2*v*5) < 1e-9, String(hu(u, {v, 5})));
      assert(abs(normu(u, {3, 4}) - 5) < 1e-9, String(normu(u, {3, 4})));
    end when;
  end Partial;

  partial function Gain
    input Real u;
    output Real y;
  end Gain;

  function times "one that has a factor"
    extends Gain;
    input Real k = 1;
  algorithm
    y := k*u;
  end times;

  model Outer "A function that is outer is the inner one around"
    inner function gain = times(k = 3);
    Part part;
    Group group;
    model Part
      outer function gain = Gain;
      Real y = gain(time + 1), n[2] = {gain(i) for i in 1:2};
    end Part;
    model Group
      inner function gain = times(k = -1);
      Part part;
    end Group;
  equation
    when terminal() then
      assert(abs(part.y - 6) < 1e-12 and part.n[2] == 6, String(part.y));
      assert(abs(group.part.y + 2) < 1e-12, String(group.part.y));
    end when;
  end Outer;

  model Found "Start values from parameters that are found at the start"
    parameter Real p(fixed = false, start = 1), q = 2*p, r(fixed = false);
    Real x(start = p, fixed = true), y(start = q, fixed = true), z[2](start = {p, r}, each fixed = true), g(start = p);
  initial equation
    p^2 = 4 + p;
    der(x) + r = 0;
  equation
    der(x) = -x;
    der(y) = -y;
    der(z) = {-1, 1};
    g^3 = 8;
    when terminal() then
      assert(abs(p - (1 + sqrt(17))/2) < 1e-9, String(p));
      assert(abs(x - p*exp(-1)) < 1e-6 and abs(y - 2*x) < 1e-6, String(x));
      assert(abs(z[1] - p + 1) < 1e-9 and abs(z[2] - p - 1) < 1e-9, String(z[2]));
      assert(abs(g - 2) < 1e-9, String(g));
    end when;
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end Found;
end Functions;
