package Records "Records, enumerations, functions"
  type State = enumeration(off "Off", slow, fast);
  record Point
    Real x;
    Real y = 2;
  end Point;
  record Line
    Point a;
    Point b(y = 7);
  end Line;
  function length
    input Line l;
    output Real d;
  algorithm
    d := sqrt((l.a.x - l.b.x)^2 + (l.a.y - l.b.y)^2);
  end length;
  function middle
    input Line l;
    output Point p;
  algorithm
    p.x := (l.a.x + l.b.x)/2;
    p.y := (l.a.y + l.b.y)/2;
  end middle;

  model Fields
    Line l(a(x = time), b.x = 3);
    Line k = Line(a = Point(1, 1), b = Point(x = 2)) "the value is stronger than what Line says about b";
    Point points[3](each y = 1, x = {1, 2, 3}), copy = k.a, p = middle(l);
    Real xs[3] = points.x, total = sum(points.x) + sum(points[2:3].y), d = length(l), five = length(Line(Point(0, 0), Point(3, 4)));
  equation
    when terminal() then
      assert(abs(d - sqrt(29)) < 1e-12 and abs(p.x - 2) < 1e-12 and abs(p.y - 4.5) < 1e-12, "functions of records");
      assert(k.b.x == 2 and k.b.y == 2 and copy.x == 1, "k.b.y = " + String(k.b.y));
      assert(xs[3] == 3 and total == 8 and five == 5, "arrays of records");
    end when;
  end Fields;

  model Enumerations
    State s(start = State.off, fixed = true), larger = max(State.off, State.slow);
    Real weights[State] = {1, 2, 4}, sum_of_weights = sum(weights[k] for k in State);
    parameter Real speeds[State] = {0, 20, 30};
    Real speed = speeds[s];
    Integer number = Integer(s), count = size(weights, 1);
    parameter State chosen = State.fast;
    parameter String name = String(chosen), padded = String(chosen, minimumLength = 6) + "|";
  equation
    when time > 0.3 then
      s = State.slow;
    elsewhen time > 0.6 then
      s = State.fast;
    end when;
    assert(name == "fast" and padded == "fast  |", "'" + padded + "'");
    when terminal() then
      assert(speed == 30 and number == 3 and larger == State.slow and sum_of_weights == 7 and count == 3, "values");
      assert(State.off < State.fast and State(2) == State.slow, "order");
    end when;
  end Enumerations;

  function statistics
    input Real u[:];
    output Real mean;
    output Real variance;
    output Integer n;
  protected
    Real s;
  algorithm
    n := size(u, 1);
    s := 0;
    for v in u loop
      s := s + v;
    end for;
    mean := s/n;
    variance := 0;
    for i in 1:n loop
      variance := variance + (u[i] - mean)^2;
    end for;
    variance := variance/n;
  end statistics;
  function gcd
    input Integer a;
    input Integer b;
    output Integer r;
  protected
    Integer x := a;
    Integer y := b;
    Integer t;
  algorithm
    while y <> 0 loop
      t := mod(x, y);
      x := y;
      y := t;
    end while;
    r := x;
    return;
    r := -1;
  end gcd;
  function firstAbove
    input Real u[:];
    input Real limit = 2.5;
    output Integer k = 0;
  algorithm
    for i in 1:size(u, 1) loop
      if u[i] > limit then
        k := i;
        break;
      end if;
    end for;
  end firstAbove;
  function factorial
    input Integer n;
    output Integer f;
  algorithm
    f := if n <= 1 then 1 else n*factorial(n - 1);
  end factorial;

  model Functions
    Real mean, variance, only_mean, only_variance, z[factorial(3)];
    Integer n, divisor = gcd(252, 105), f = factorial(6), first = firstAbove({1, 2, 3, 4}), second = firstAbove(limit = 3.5, u = {1, 2, 3, 4});
  equation
    (mean, variance, n) = statistics({1, 2, 3, 4*time});
    (only_mean) = statistics({1, 3});
    (, only_variance) = statistics({time, 3});
    for i in 1:size(z, 1) loop
      z[i] = i;
    end for;
    when terminal() then
      assert(abs(mean - 2.5) < 1e-12 and abs(variance - 1.25) < 1e-12 and n == 4, "three results");
      assert(only_mean == 2 and only_variance == 1 and size(z, 1) == 6, "some results");
      assert(divisor == 21 and f == 720 and first == 3 and second == 4, "while, break, return, recursion, defaults");
    end when;
  end Functions;

  record Size
    constant Integer m = 0;
    constant Real x = 0;
  end Size;
  record Seven
    extends Size(m = 7);
  end Seven;
  function last "end in an array of records whose size is open"
    input Size r[:];
    output Integer n;
  algorithm
    n := r[end].m + size(r, 1);
  end last;

  model EndOfRecords
    Seven r[2];
    Integer n = last(r);
  equation
    assert(n == 9, "n = " + String(n));
  end EndOfRecords;

  record Table
    parameter Integer n;
    parameter Real m[n];
  end Table;
  block Sum
    parameter Table g;
    Real y = sum(g.m);
  end Sum;

  model RecordsOfDifferentSize "Each component of an array gets its own, whatever the others are"
    parameter Table p(n = 3, m = {1, 2, 3}), q(n = 2, m = {4, 5});
    Sum a[2](g = {p, q}), b[2, 2](g = {{p, q}, {q, p}});
  equation
    assert(a[1].y == 6 and a[2].y == 9 and size(a[2].g.m, 1) == 2, "vector");
    assert(b[1, 2].y == 9 and b[2, 1].y == 9 and b[2, 2].y == 6, "matrix");
  end RecordsOfDifferentSize;

  record Names
    parameter String c[:];
    parameter Integer n = size(c, 1);
  end Names;
  function onesFor
    input Names r;
    output Real x[r.n] = ones(r.n);
  end onesFor;

  model SizeFromRecord "The size of a result is a field of an argument that also has texts"
    parameter Names r(c = {"a", "b"});
    Real x[r.n] = onesFor(r), y[r.n];
  equation
    y = 2*onesFor(r);
    assert(size(x, 1) == 2 and sum(x) == 2 and sum(y) == 4, "x and y");
  end SizeFromRecord;

  function laterFirst "The size and value of the result follow from what stands below"
    input Real u[:];
    output Real y[n + 1] = cat(1, u, {last});
  protected
    Integer n = size(u, 1);
    Real last = 2*u[n];
  algorithm
    y[1] := y[1] + 1;
  end laterFirst;

  model OrderOfDeclarations
    Real y[3] = laterFirst({1, 2 + time - time});
  equation
    assert(abs(y[1] - 2) < 1e-12 and abs(y[2] - 2) < 1e-12 and abs(y[3] - 4) < 1e-12, "y");
  end OrderOfDeclarations;

  function solve "As Modelica.Math.Matrices.LAPACK.dgesv"
    input Real A[:, size(A, 1)], b[size(A, 1)];
    output Real x[size(A, 1)] = b;
    output Integer info;
  protected
    Integer n = size(A, 1), nrhs = 1, lda = max(1, n), ldb = max(1, n), ipiv[size(A, 1)];
    Real Awork[size(A, 1), size(A, 1)] = A;
    external "FORTRAN 77" dgesv(n, nrhs, Awork, lda, ipiv, x, ldb, info);
  end solve;
  function leastSquares "As Modelica.Math.Matrices.LAPACK.dgelsy_vec"
    input Real A[:, :], b[size(A, 1)], rcond = 0;
    output Real x[max(nrow, ncol)] = cat(1, b, zeros(max(nrow, ncol) - nrow));
    output Integer info, rank;
  protected
    Integer nrow = size(A, 1), ncol = size(A, 2), nrhs = 1, nx = max(nrow, ncol);
    Integer lwork = max(min(nrow, ncol) + 3*ncol + 1, 2*min(nrow, ncol) + 1), jpvt[size(A, 2)] = zeros(ncol);
    Real work[lwork], Awork[size(A, 1), size(A, 2)] = A;
    external "FORTRAN 77" dgelsy(nrow, ncol, nrhs, Awork, nrow, x, nx, jpvt, rcond, rank, work, lwork, info);
  end leastSquares;

  model LinearAlgebra "Functions of LAPACK are there: a system, a singular one, a line through three points"
    Real x[2], y[3], z[2];
    Integer info, none, good, rank;
  equation
    (x, info) = solve([2, 1; 1, 4], {4, 9});
    (z, none) = solve([1, 2; 2, 4], {1, 1});
    (y, good, rank) = leastSquares([0, 1; 1, 1; 2, 1], {1, 2, 6});
    assert(info == 0 and abs(x[1] - 1) < 1e-14 and abs(x[2] - 2) < 1e-14, "x");
    assert(none == 2, "a singular matrix");
    assert(good == 0 and rank == 2 and abs(y[1] - 2.5) < 1e-12 and abs(y[2] - 0.5) < 1e-12, "y");
  end LinearAlgebra;

  record Named
    String name;
  end Named;

  function named
    input Integer k;
    output Named r;
  algorithm
    r.name := "k" + String(k) + " ";
  end named;

  function allNamed
    output Named r[4];
  algorithm
    for k in 1:3 loop
      r[k] := named(k);
    end for;
    r[4] := named(7);
  end allNamed;

  function together
    input Named r[:];
    output String list = "";
  algorithm
    for i in 1:size(r, 1) loop
      list := list + r[i].name;
    end for;
  end together;

  model TextsOfLoops "Texts that are made in a loop, as elements of an array, stay what they are"
    parameter Named r[4] = allNamed();
    parameter String list = together(r);
  equation
    assert(list == "k1 k2 k3 k7 ", "it is " + list);
  end TextsOfLoops;

  record Sheet
    Real x[2];
    Real m[2, 2];
  end Sheet;

  record Shelf
    Sheet v[2];
    Sheet w;
    Real s;
  end Shelf;

  function tables "q[i].x = {i, 10*i}, q[i].m = 100*i + {{11, 12}, {21, 22}}"
    output Sheet q[3];
  algorithm
    for i in 1:3 loop
      q[i].x := {i, 10*i};
      for j in 1:2 loop
        for k in 1:2 loop
          q[i].m[j, k] := 100*i + 10*j + k;
        end for;
      end for;
    end for;
  end tables;

  function readTables
    input Sheet q[3];
    output Real y[12];
  protected
    Integer two = 2;
  algorithm
    y[1] := sum(q.x[2]);
    y[2] := sum(q[2:3].x[two]);
    y[3] := q[{1, 3}].x[1]*{1, 100};
    y[4] := max(q.x[1]);
    y[5] := q.x[2]*{1, 100, 10000};
    y[6] := sum(q.m[1, 2]);
    y[7] := sum(q.m[:, 2]);
    y[8] := q[two].m[two, 1];
    y[9] := sum(q.x[end]);
    y[10] := sum(q[two:end].m[end, :]);
    y[11] := q[3].x[two - 1];
    y[12] := sum(q[:].x[:]);
  end readTables;

  function writeTables
    output Real y[9];
  protected
    Sheet q[3] = tables();
    Shelf u[3];
    Shelf one;
  algorithm
    q[2].x[1:2] := {7, 8};
    y[1] := sum(q[2].x);
    q[2].m[1, :] := {7, 8};
    y[2] := sum(q[2].m);
    q[2:3].x[2] := {5, 6};
    y[3] := sum(q.x);
    for k in 1:2 loop
      for j in 1:2 loop
        u[k].v[j].x := {k, j};
        one.v[j].x[1:2] := {j, k};
        for i in 1:2 loop
          u[k].v[j].m[i, :] := {i, 10*k + j};
        end for;
      end for;
      u[k].v[k].x[k] := 40;
      q[k].m[:, 1] := {k, -k};
    end for;
    y[4] := sum(u[1].v[1].x) + 100*sum(u[2].v[1].x);
    y[5] := u[2].v[2].x[2] + u[1].v[1].x[1];
    y[6] := sum(u[1:2].v[1].m[2, 2]);
    y[7] := sum(one.v[2].x) + 10*one.v[1].x[1];
    y[8] := q[1].m[2, 1] + 10*q[2].m[1, 1] + 100*q[3].m[1, 1];
    q.x[1] := {7, 8, 9};
    y[9] := q.x[1]*{1, 10, 100};
  end writeTables;

  model ArraysInArrays "Subscripts behind a field are those of the field, in functions as in models"
    Real read[12] = readTables(tables());
    Real written[9] = writeTables();
    Sheet t[3] = tables();
    constant Real wanted[12] = {60, 50, 301, 3, 302010, 636, 1302, 221, 60, 1086, 3, 66};
    constant Real kept[9] = {15, 458, 32, 341, 80, 32, 14, 31119, 987};
  equation
    assert(max(abs(read - wanted)) < 1e-9, "read " + String(read[1]) + " " + String(read[7]) + " " + String(read[10]));
    assert(sum(t.x[2]) == read[1] and sum(t.m[:, 2]) == read[7] and sum(t[2:3].m[2, :]) == read[10], "as in the model");
    assert(max(abs(written - kept)) < 1e-9, "written");
  end ArraysInArrays;
end Records;
