package Foreign "External functions and objects in C (tests/unit/translate/test_foreign.c)"
  function scale "Array in, array and two scalars out"
    input Real a;
    input Real x[:];
    output Real y[size(x, 1)];
    output Real sum;
    output Integer n;
  external "C" scale(a, x, size(x, 1), y, sum, n) annotation(Include = "#include \"scale.c\"");
  end scale;

  function trace "Matrix row by row, by the default call"
    input Real A[:, :];
    output Real t;
  external "C" annotation(Include = "#include \"scale.c\"");
  end trace;

  function pick "Integer and Boolean arrays"
    input Integer index[:];
    input Boolean use[:];
    output Integer chosen[3];
  external "C" pick(index, use, chosen, size(index, 1)) annotation(Include = "#include \"scale.c\"");
  end pick;

  record Inner
    Integer i;
    Real x;
  end Inner;
  record Outer
    Integer n;
    Inner part;
    Boolean b;
    String name;
  end Outer;

  function measure "A record is a pointer to a struct"
    input Outer r;
    output Real y;
  external "C" y = measure(r) annotation(Include = "#include \"records.h\"", Library = "records");
  end measure;

  function twist "A record comes back"
    input Inner r;
    output Inner s;
  external "C" twist(r, s) annotation(Include = "#include \"records.h\"", Library = "records");
  end twist;

  function hypotenuse "From a library of the system, without text"
    input Real x;
    input Real y;
    output Real z;
  external "C" z = hypot(x, y) annotation(Library = "m");
  end hypotenuse;

  function hail "Strings"
    input String name;
    output String text;
  external "C" text = hail(name) annotation(Include = "#include \"texts.c\"");
  end hail;

  function strict "An error beyond 0.5"
    input Real x;
    output Real y;
  external "C" y = strict(x) annotation(Include = "#include \"texts.c\"");
  end strict;

  class Tally "Counts, and says on a file when it begins and ends"
    extends ExternalObject;
    function constructor
      input String file;
      input Real start;
      output Tally tally;
    external "C" tally = tally_open(file, start) annotation(Include = "#include \"tally.c\"");
    end constructor;
    function destructor
      input Tally tally;
    external "C" tally_close(tally) annotation(Include = "#include \"tally.c\"");
    end destructor;
  end Tally;

  impure function count
    input Tally tally;
    input Real step;
    output Real value;
  external "C" value = tally_add(tally, step) annotation(Include = "#include \"tally.c\"");
  end count;

  model Arrays
    Real y[3], s, t;
    Integer n, p[3];
  equation
    (y, s, n) = scale(2, {time, 2*time, 3*time});
    t = trace([time, 5; 7, 2*time]);
    p = pick({4, 5, 6}, {true, false, time > 0.5});
  end Arrays;

  model Records
    Real y = measure(Outer(3, Inner(4, time), true, "abc"));
    Inner s = twist(Inner(2, time));
    Real h = hypotenuse(3*time, 4*time);
  end Records;

  model Texts
    parameter String text = hail("world");
    Real y;
  equation
    y = time;
    when terminal() then
      assert(text == "hello world", "wrong: " + text, AssertionLevel.warning);
    end when;
    assert(text == "hello world", "wrong: " + text);
  end Texts;

  model Strict
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1 + strict(x);
  end Strict;

  model Counting
    parameter Real start = 10;
    Tally tally = Tally("tally.txt", start);
    discrete Real n(start = 0, fixed = true);
  equation
    when sample(0.1, 0.2) then
      n = count(tally, 1);
    end when;
  end Counting;

  model FailsLater "The object must be closed nevertheless"
    extends Counting;
    Real y = strict(time);
  end FailsLater;

  model Nowhere
    function f
      input Real x;
      output Real y;
    external "C" y = nowhere_at_all(x) annotation(Library = "nolib");
    end f;
    Real y = f(time);
  end Nowhere;

  model Wrong
    function f
      input Real x;
      output Real y;
    external "C" y = wrong(x) annotation(Include = "double wrong(double x) { return x + ; }");
    end f;
    Real y = f(time);
  end Wrong;

  model Fortran
    function f
      input Real x;
      output Real y;
    external "FORTRAN 77" y = f(x);
    end f;
    Real y = f(time);
  end Fortran;
end Foreign;
