package Modifiers "Which of several modifications holds"
  partial model Base
    parameter Real p = 0;
  end Base;
  model Derived
    extends Base;
    Real y = p;
  end Derived;
  model Constrained
    replaceable Derived b constrainedby Base(p = 2);
    replaceable model M = Derived constrainedby Base(p = 3);
    replaceable Derived own(p = 7) constrainedby Base(p = 2);
    M m;
  end Constrained;

  model ConstrainingClause "Its modification holds for the default as for what replaces it, and is the weakest"
    Constrained c, d(redeclare Derived b, redeclare model M = Derived), e(b(p = 5));
  equation
    assert(c.b.p == 2 and c.m.p == 3 and c.own.p == 7, "the default");
    assert(d.b.p == 2 and d.m.p == 3, "redeclared");
    assert(e.b.p == 5, "modified from outside");
  end ConstrainingClause;

  record R
    parameter Integer a = 1;
    parameter Integer b = 2;
  end R;
  record Outer
    parameter R r(a = 4);
  end Outer;
  record Two
    parameter R x(a = 3, b = 4);
    parameter R y(a = 5, b = 6);
    parameter Outer z(r(b = 8));
  end Two;
  record TwoOfOne
    extends Two(x(a = 33), y = x, z = Outer(r = x));
  end TwoOfOne;

  model RecordAsAWhole "A value for a record from outside replaces what was said of its fields inside"
    TwoOfOne c;
    parameter R other(a = 10, b = 11);
    Two d(x = other, y(a = 9) = other);
  equation
    assert(c.x.a == 33 and c.x.b == 4, "the record that is the value");
    assert(c.y.a == 33 and c.y.b == 4, "a field that had another value");
    assert(c.z.r.a == 33 and c.z.r.b == 4, "a record in a record");
    assert(d.x.a == 10 and d.x.b == 11 and d.y.a == 9 and d.y.b == 11, "a field beside the whole");
  end RecordAsAWhole;
end Modifiers;
