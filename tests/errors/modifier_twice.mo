model ModifierTwice
  model P
    parameter Real q = 0, r = 1;
  end P;
  model Q
    replaceable P a;
    P b;
  end Q;
  P p(q = 1, q = 2);
  P s(q(min = 1), q = 2, q(max = 3), q.start = 2) "Four things: nothing is wrong";
  P t(q(min = 1), q.min = 3);
  Q y(a(q = 1), b.q = 2, a.r = 3, a.q = 3);
  Q z(redeclare P a, redeclare P a);
end ModifierTwice;
