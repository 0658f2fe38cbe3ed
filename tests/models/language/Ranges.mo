package Ranges "Ranges of loops: of enumerations and Booleans, that follow from a subscript, that vary"
  type E = enumeration(a, b, c, d);

  model Kinds "What a loop and a reduction run over"
    Real x[E], y[Boolean], s;
    Integer n(start = 0), m;
    Real z[2] = columns([1, 2; 3, 4; 5, 6]), k[2] = nested([1, 2; 3, 4; 5, 6]);
    function total "the size of u is known when it is called"
      input Real u[:];
      output Real y = 0;
    algorithm
      for i loop
        y := y + u[i];
      end for;
    end total;
    function count
      input E lo, hi;
      output Integer n = 0;
    algorithm
      for e in lo:hi loop
        n := n + Integer(e);
      end for;
      for b in false:true loop
        n := n + (if b then 100 else 10);
      end for;
      for b in Boolean loop
        n := n + 1000;
      end for;
      for e in E loop
        n := n + 10000;
      end for;
    end count;
    function columns
      input Real A[:, :];
      output Real y[size(A, 2)] = zeros(size(A, 2));
    algorithm
      for j, i loop
        y[j] := y[j] + A[i, j];
      end for;
    end columns;
    function nested "the subscript stands in an if-statement in another loop"
      input Real A[:, :];
      output Real y[size(A, 2)] = zeros(size(A, 2));
    algorithm
      for j loop
        for i in 1:2 loop
          if i == 2 then
            y[j] := 10*A[i, j];
          end if;
        end for;
      end for;
    end nested;
  equation
    for e in E.b:E.d loop
      x[e] = Integer(e);
    end for;
    x[E.a] = 7;
    for b in false:true loop
      y[b] = if b then 2 else 3;
    end for;
    s = total({1, 2, 3}) + sum(y);
    m = count(E.b, E.c);
  algorithm
    when time > 0.5 then
      for b in false:true loop
        n := n + (if b then 2 else 1);
      end for;
    end when;
  equation
    when terminal() then
      assert(m == 5 + 110 + 2000 + 40000, String(m));
      assert(n == 3, String(n));
      assert(abs(s - 11) < 1e-12, String(s));
      assert(abs(z[1] - 9) + abs(z[2] - 12) < 1e-12, String(z[1]));
      assert(abs(k[1] - 30) + abs(k[2] - 40) < 1e-12, String(k[1]));
      assert(abs(sum(x) - 16) < 1e-12, String(sum(x)));
      assert(sum(Integer(e) for e in E.b:E.d) == 9 and sum(if b then 5 else 1 for b in false:true) == 6, "sums");
    end when;
  end Kinds;

  model Varying "Loops of algorithms whose ranges are variables"
    Integer n(start = 0), k(start = 3), t(start = 0), m = if time < 0.5 then 2 else 4;
    Real q[4](each start = 0), s, x[5] = {time, 2*time, 3*time, 4*time, 5*time};
  algorithm
    when time > 0.5 then
      for i in 1:k loop
        q[i] := i;
        n := n + 1;
        for j in k:-1:i loop // 3 + 2, 3 + 2, 3
          t := t + j;
          if j == 2 then
            break;
          end if;
        end for;
      end for;
      k := 2;
    end when;
  algorithm
    s := 0;
    for i in 1:m loop
      s := s + x[i];
    end for;
  equation
    when time >= 0.25 then
      assert(abs(s - 0.75) < 1e-9, String(s)); // (1 + 2)/4
    end when;
    when terminal() then
      assert(n == 3 and t == 13, String(n) + " " + String(t));
      assert(q[1] == 1 and q[3] == 3 and q[4] == 0, String(q[3]));
      assert(abs(s - 10) < 1e-9, String(s));
    end when;
  end Varying;

  model Clauses "Loops in when-equations"
    Integer n[3](each start = 0);
    Real x[3](each start = 0), s(start = 0);
    discrete Real v[4];
  equation
    when time > 0.5 then
      for i in 1:3 loop
        n[i] = pre(n[i]) + i;
      end for;
      for i loop
        x[i] = i*time;
      end for;
      s = sum(x);
      for i in 1:2 loop
        if i == 1 then
          v[1] = 1;
          v[2] = 2;
        else
          v[3] = 3;
          v[4] = 4;
        end if;
      end for;
    elsewhen time > 0.7 then
      for i in 1:3 loop
        n[i] = pre(n[i]) + 10;
      end for;
      for i in 1:3 loop
        x[i] = pre(x[i]);
      end for;
      s = 5;
      for i in 1:4 loop
        v[i] = 7;
      end for;
    end when;
    when terminal() then
      assert(n[1] == 11 and n[2] == 12 and n[3] == 13, String(n[1]));
      assert(abs(x[3] - 1.5) < 1e-9 and s == 5 and v[4] == 7, String(x[3]));
    end when;
  end Clauses;
end Ranges;
