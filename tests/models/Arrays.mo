package Arrays "Arrays that stay whole, and arrays that do not"
  model LinearOde "Seed 003, chapter 9"
    parameter Real A[:, :] = [0, 1; -4, 0];
    parameter Real x0[:] = {1, 0};
    Real x[size(A, 1)](start = x0, each fixed = true);
  equation
    der(x) = A*x;
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end LinearOde;

  model Newton "Seed 003, chapter 9: an equation for the array a"
    parameter Real m = 2;
    parameter Real f[:] = {2, 3};
    Real v[size(f, 1)](each start = 0, each fixed = true);
    Real a[size(f, 1)];
  equation
    a = der(v);
    m*a = f;
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Newton;

  model NewtonByElements "No equation for the array: it is taken apart, and its size stays"
    parameter Real m = 2;
    parameter Integer n = 2;
    Real w[n](each start = 0, each fixed = true);
    Real wd[n];
  equation
    wd = der(w);
    m*wd[1] = 2;
    m*wd[2] = 3;
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end NewtonByElements;

  model LinearOdes "Seed 003, chapter 9: a fixed and a free size in one model"
    parameter Real A1[2, 2] = [-1, 0; 0, -2];
    parameter Real A2[:, :] = [-1, 0; 0, -2];
    Real y1[2](start = {1, 2}, each fixed = true);
    Real y2[size(A2, 1)](start = {1, 2}, each fixed = true);
  equation
    der(y1) = A1*y1;
    der(y2) = A2*y2;
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end LinearOdes;

  function conduction "Matrix of a rod of n cells whose ends are kept at zero"
    input Integer n;
    output Real A[n, n];
  algorithm
    A := zeros(n, n);
    for i in 1:n loop
      A[i, i] := if i == 1 or i == n then -3 else -2;
      if i > 1 then
        A[i, i - 1] := 1;
        A[i - 1, i] := 1;
      end if;
    end for;
  end conduction;

  function mode "The slowest mode of that matrix"
    input Integer n;
    output Real T[n];
  algorithm
    for i in 1:n loop
      T[i] := sin(3.14159265358979323846*(i - 0.5)/n);
    end for;
  end mode;

  model Rod "Heat conduction"
    parameter Integer n = 5;
    parameter Real k = 0.5;
    Real T[n](start = mode(n), each fixed = true);
    Real mean = sum(T)/n;
  protected
    parameter Real A[n, n] = conduction(n);
  equation
    der(T) = k*(A*T);
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end Rod;

  block StateSpace "Inputs, outputs, initial equations"
    parameter Real A[:, size(A, 1)] = [-1, 0; 1, -1];
    parameter Real B[size(A, 1), :] = [1; 0];
    parameter Real C[:, size(A, 1)] = [0, 1];
    parameter Real D[size(C, 1), size(B, 2)] = zeros(size(C, 1), size(B, 2));
    final parameter Integer nx = size(A, 1);
    parameter Real x_start[nx] = zeros(nx);
    input Real u[size(B, 2)](start = ones(size(B, 2)));
    output Real y[size(C, 1)];
    Real x[nx];
  initial equation
    x = x_start;
  equation
    der(x) = A*x + B*u;
    y = C*x + D*u;
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end StateSpace;

  model Mixed "Whole arrays beside scalars and arrays of a fixed size"
    parameter Integer n = 3;
    parameter Real b[n] = fill(1.0, n);
    parameter Real c[2] = {0.5, 0.25};
    Real x[n](each start = 1, each fixed = true);
    Real y[n];
    Real z[2](each start = 0, each fixed = true);
    Real total = sum(x);
    Real square = x*x;
  equation
    der(x) = -c[1]*x + b*z[1];
    y = 2*x - b;
    der(z[1]) = 0;
    der(z[2]) = total - n*c[2]*z[2];
  end Mixed;

  model Events "A relation of whole arrays, and a bouncing number"
    parameter Integer n = 3;
    Real x[n](each start = 1, each fixed = true);
    Real crossed(start = 0, fixed = true);
    Real s(start = 0, fixed = true);
    Boolean low = sum(x) < n/2;
  equation
    der(x) = if low then -2*x else -x;
    der(s) = 1;
    der(crossed) = 0;
    when low then
      reinit(crossed, time);
      reinit(s, -sum(x));
    end when;
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end Events;

  model Operations "What there are loops for"
    parameter Integer n = 3;
    parameter Real A[n, n] = conduction(n);
    parameter Real v[n] = mode(n);
    Real x[n](start = v, each fixed = true);
    parameter Real d0[:] = {1, 2, 3};
    Real a[n], b[n], c[n], d[size(d0, 1)], M[n, n], N[n, n], s, q;
  equation
    der(x) = -0.1*x + (if s > 100 then v else sin(x)./(1 .+ x.*x));
    a = x*A - transpose(A)*x + A*x/2;
    b = -a .^ 2 + sqrt(abs(x)) - v;
    c + fill(s, n) = diagonal(v)*x;
    d = {s, q, time} - d0;
    M = transpose(A)*A + identity(n) - time*A;
    N = M*M*A;
    s = x*A*x + sum(M);
    q = sum(a + b) + a*b;
  end Operations;

  model SteadyState "Starts at rest: A*x = -b"
    parameter Integer n = 2;
    parameter Real A[n, n] = [-2, 1; 0, -4];
    Real x[n];
  initial equation
    der(x) = zeros(n);
  equation
    der(x) = A*x + fill(4.0, n);
  end SteadyState;

  model Masses "M*q'' + K*q = 0: a linear system for the accelerations"
    parameter Real M[:, :] = [2, 0; 0, 2], K[:, :] = [8, 0; 0, 18];
    parameter Real q0[:] = {1, 1};
    Real q[size(M, 1)](start = q0, each fixed = true);
    Real v[size(M, 1)](each start = 0, each fixed = true);
    Real a[size(M, 1)];
    Real energy = (v*M*v + q*K*q)/2;
  equation
    v = der(q);
    a = der(v);
    M*a + K*q = zeros(size(M, 1));
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Masses;

  model LinearSystems "Vectors and a matrix that stand behind matrices, and in several places"
    parameter Integer n = 3;
    parameter Real A[n, n] = conduction(n);
    Real x[n], y[n], z[n], w[n], X[n, n], s(start = 0, fixed = true);
  equation
    A*x = fill(time + 1, n);
    y*(A - identity(n)) = x;
    z = -A*z/3 + y + 2*z;
    (1 + time)*w + A*(w - x) = mode(n).*w;
    A*X = identity(n)*time;
    der(s) = sum(x);
  end LinearSystems;

  function upwind "Flows from cell to cell"
    input Real x[:];
    input Real k;
    output Real dx[size(x, 1)];
    output Real leaves;
  protected
    Real before = 0;
  algorithm
    for i in 1:size(x, 1) loop
      dx[i] := k*(before - x[i]);
      before := x[i];
    end for;
    leaves := k*before;
  end upwind;

  function norm
    input Real x[:];
    output Real r = sqrt(x*x);
  algorithm
    assert(size(x, 1) < 7, "too long for this norm");
  end norm;

  model Functions "Functions of whole arrays, with several results"
    parameter Integer n = 3;
    parameter Real k = 1;
    Real x[n](start = cat(1, {1.0}, zeros(n - 1)), each fixed = true);
    Real dx[n], leaves, r = norm(x), twice[n], nested[n];
  equation
    nested = upwind(upwind(x, 2), norm(upwind(x, k)));
    (dx, leaves) = upwind(x, k);
    der(x) = dx;
    twice = 2*mode(n) + upwind(x + mode(n), time);
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Functions;

  model Element "Equations read elements"
    parameter Integer n = 2;
    parameter Real A[:, :] = [-1, 0; 0, -2];
    Real x[n](each start = 1, each fixed = true);
    Real first = x[1], last, crossed(start = 0, fixed = true);
  equation
    der(x) = A*x;
    last = 2*x[n];
    der(crossed) = 0;
    when x[n] < 0.5 then
      reinit(crossed, time);
    end when;
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Element;

  model OwnEquations "Elements have equations of their own, so the size is structural"
    parameter Integer n = 2;
    parameter Real A[:, :] = [-1, 0; 0, -2];
    Real x[n](each start = 1, each fixed = true);
    Real u[n];
  equation
    der(x) + u = A*x;
    u[1] = 1;
    u[2] = 2;
  end OwnEquations;

  model Large "Many states, one equation"
    parameter Integer n = 200;
    parameter Real A[n, n] = -identity(n);
    Real x[n](each start = 1, each fixed = true);
  equation
    der(x) = A*x;
  end Large;

  // --- parts of arrays: the rod of above, with its cells written in other ways ---

  model RodSlices "Heat flows between the cells"
    parameter Integer n = 5;
    parameter Real k = 0.5;
    Real T[n](start = mode(n), each fixed = true);
    Real Q[n - 1] = k*(T[1:end - 1] - T[2:end]);
    Real mean = sum(T)/size(T, 1);
  equation
    der(T) = cat(1, {-2*k*T[1]}, Q) - cat(1, Q, {2*k*T[n]});
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end RodSlices;

  model RodPieces "Heat flows at all borders of cells, in three equations"
    parameter Integer n = 5;
    parameter Real k = 0.5;
    Real T[n](start = mode(n), each fixed = true);
    Real Q[n + 1];
    Real mean = sum(T)/n;
  equation
    Q[n + 1] = 2*k*T[n];
    Q[2:n] = k*(T[1:n - 1] - T[2:n]);
    Q[1] = -2*k*T[1];
    der(T) = Q[1:n] - Q[2:n + 1];
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end RodPieces;

  model RodLoop "A loop over the inner cells"
    parameter Integer n = 5;
    parameter Real k = 0.5;
    Real T[n](start = mode(n), each fixed = true);
    Real mean = sum(T)/n;
  equation
    der(T[1]) = k*(T[2] - 3*T[1]);
    for i in 2:n - 1 loop
      der(T[i]) = k*(T[i - 1] - 2*T[i] + T[i + 1]);
    end for;
    der(T[n]) = k*(T[n - 1] - 3*T[n]);
    annotation(experiment(StopTime = 2, Tolerance = 1e-10));
  end RodLoop;

  model Parts "Rows, columns, steps, numbers in a loop"
    parameter Integer n = 4;
    parameter Real A[n, n] = conduction(n);
    Real x[n](start = mode(n), each fixed = true);
    Real odd[integer((n + 1)/2)] = x[1:2:n];
    Real row[n], column[n], corner[2, 2], part[n - 2, n], back[n], s, y[n], z[n];
  equation
    der(x) = -x;
    row = time*A[2, :];
    column = A[:, n]*x[1];
    corner = x[2]*A[1:2, n - 1:n];
    part = A[2:n - 1, :]*time;
    back = x[n:-1:1];
    s = A[2, :]*x + sum(x[2:n]) + A[n, n];
    for i in 1:n loop
      y[i] = i*x[i]^2/(1 + A[i, 1]^2) + sin(x[i]) + s;
      z[i] = 3;
    end for;
  end Parts;

  model Comprehensions "Arrays and sums with iterators; a start in pieces"
    parameter Integer n = 3;
    parameter Real w = 0.3;
    parameter Real k[n] = {0.5*i for i in 1:n};
    parameter Real g[n] = linspace(1, 2, n);
    Real x[n](start = {sin(i*w) for i in 1:n}, each fixed = true);
    Real y[n] = {k[i] - x[i]^2 for i in 1:n};
    Real s = sum(k[i]*g[i] for i in 1:n), z[n], down[n];
  initial equation
    down[1] = 2;
    down[2:n] = ones(n - 1);
  equation
    der(x) = -x;
    der(down) = -2*down;
    z = linspace(time, s, n) + g;
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Comprehensions;

  model Rows "Vectors as rows of a matrix; extremes"
    parameter Integer n = 3;
    Real x[n](start = mode(n), each fixed = true), y[n], M[2, n], v[2], w[n];
    Real most = max(x) - min(y), all = product(y);
  equation
    der(x) = -x;
    y = 2*x + ones(n);
    M = {x, 3*y};
    v = M*x;
    w = transpose(M)*v + {1.0, 2.0}*M;
  end Rows;

  model Unrolled "A loop that cannot be written with slices: the size is structural"
    parameter Integer n = 3;
    Real x[n](each start = 1, each fixed = true);
  equation
    for i in 1:n loop
      der(x[i]) = if i == 1 then -x[i] else x[i - 1] - x[i];
    end for;
  end Unrolled;

  // --- connections ---

  connector RealInput = input Real;
  connector RealOutput = output Real;

  block Lags "As StateSpace, with connectors"
    parameter Real A[:, size(A, 1)] = [-1, 0; 1, -1];
    parameter Real B[size(A, 1), :] = [1; 0];
    parameter Real C[:, size(A, 1)] = [0, 1];
    parameter Real D[size(C, 1), size(B, 2)] = zeros(size(C, 1), size(B, 2));
    RealInput u[size(B, 2)];
    RealOutput y[size(C, 1)];
    Real x[size(A, 1)](each start = 0, each fixed = true);
  equation
    der(x) = A*x + B*u;
    y = C*x + D*u;
  end Lags;

  model Series "Two blocks in series, and the output of the model"
    Lags a, b;
    RealOutput y[size(b.C, 1)];
  equation
    a.u = ones(size(a.B, 2));
    connect(a.y, b.u);
    connect(b.y, y);
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Series;

  connector Plug
    parameter Integer m = 1;
    Real v[m];
    flow Real i[m];
  end Plug;

  model Resistors
    parameter Integer m = 1;
    parameter Real R[m] = fill(2.0, m);
    Plug p(m = m), n(m = m);
  equation
    p.v - n.v = R.*p.i;
    p.i + n.i = zeros(m);
  end Resistors;

  model Capacitors
    parameter Integer m = 1;
    Real v[m](each start = 1, each fixed = true);
    Plug p(m = m), n(m = m);
  equation
    v = p.v - n.v;
    der(v) = p.i;
    p.i + n.i = zeros(m);
  end Capacitors;

  model Ground
    parameter Integer m = 1;
    Plug p(m = m);
  equation
    p.v = zeros(m);
  end Ground;

  model Phases "m circuits as one"
    parameter Integer m = 3;
    Resistors r(m = m), open(m = m);
    Capacitors c(m = m);
    Ground g(m = m);
  equation
    connect(r.p, c.p);
    connect(r.n, g.p);
    connect(c.n, g.p);
    connect(open.n, c.p);
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Phases;

  model Feedback "Two blocks in a loop, with direct feedthrough"
    Lags a(D = [0.5]), b(A = [-2], B = [1], C = [1], D = [3]);
  equation
    connect(a.y, b.u);
    a.u = ones(size(a.B, 2)) - b.y;
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end Feedback;

  model Contradiction "A loop of vectors without a solution"
    parameter Integer n = 2;
    Real x[n], y[n];
  equation
    x + y = ones(n);
    x + y = fill(time, n);
  end Contradiction;

  model SingleWires "Connections of elements: the numbers of states are free, those of signals are not"
    Lags a, b;
    Real y[1], z[2];
  equation
    a.u = ones(size(a.B, 2));
    connect(a.y[1], b.u[1]);
    y = b.C*b.x;
    z = {1, 2} + b.x;
    annotation(experiment(StopTime = 1, Tolerance = 1e-10));
  end SingleWires;

  package Larger "The same with the sizes that the tests set later"
    model Operations = Arrays.Operations(n = 5, d0 = {1, 2, 3});
    model Mixed = Arrays.Mixed(n = 6);
    model Rod = Arrays.Rod(n = 8);
    model RodSlices = Arrays.RodSlices(n = 8);
    model RodPieces = Arrays.RodPieces(n = 8);
    model RodLoop = Arrays.RodLoop(n = 8);
    model Parts = Arrays.Parts(n = 7);
    model Functions = Arrays.Functions(n = 6);
    model LinearSystems = Arrays.LinearSystems(n = 6);
    model Phases = Arrays.Phases(m = 5);
    model Events = Arrays.Events(n = 4);
    model Comprehensions = Arrays.Comprehensions(n = 5);
    model Rows = Arrays.Rows(n = 6);
  end Larger;
end Arrays;
