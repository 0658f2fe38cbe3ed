package Inherited "Prefixes that redeclarations and types hand on, sizes that functions find, loops over types"
  type E = enumeration(one, two);
  type Argument = input Real;
  type Results = output Real[3];

  function multiples
    Argument u;
    Results y;
  algorithm
    y := {u, 2*u, 3*u};
  end multiples;

  model InputsOfTypes
    Real x[3] = multiples(2 + 0*time);
  equation
    assert(x[1] == 2 and x[2] == 4 and x[3] == 6, "the types say which is input and output");
  end InputsOfTypes;

  connector Pin
    Real e;
    replaceable flow Real f;
  end Pin;

  model Source
    Pin p(redeclare Real f);
  equation
    p.e = 3;
  end Source;

  model Sink
    Pin p;
  equation
    p.f = 0.5*p.e;
  end Sink;

  model FlowStaysFlow
    Source source;
    Sink sink;
  equation
    connect(source.p, sink.p);
    assert(abs(source.p.f + 1.5) < 1e-12, "the redeclared variable is still a flow");
  end FlowStaysFlow;

  class Reader
    outer Real level;
    Real y = 2*level;
  end Reader;

  model Tank
    inner replaceable Real level;
    Reader reader;
  equation
    level = 4;
  end Tank;

  model InnerStaysInner
    Tank tank(redeclare Real level);
  equation
    assert(tank.reader.y == 8, "the redeclared variable is still inner");
  end InnerStaysInner;

  function scaled
    replaceable input Real u;
    replaceable output Real y;
  algorithm
    y := 2*u;
  end scaled;

  model InputsStayInputs
    function own = scaled(redeclare Real u = 3, redeclare Real y = 4);
    Real x = own(5 + 0*time);
  equation
    assert(x == 10, "redeclared inputs and outputs are still these");
  end InputsStayInputs;

  record Numbered
    Integer a;
    constant Integer b;
    constant Integer c = 42;
  end Numbered;

  model ConstantsAreGiven
    Numbered n = Numbered(7, 8);
  equation
    assert(n.a == 7 and n.b == 8 and n.c == 42, "a constant without a value is an input of the constructor");
  end ConstantsAreGiven;

  model LoopsOverTypes
    Boolean b[Boolean];
    Real x[2, Boolean, E];
  equation
    for i loop
      b[i] = not i;
    end for;
    for i, j, k loop
      x[i, j, k] = i + (if j then 10 else 0) + 100*Integer(k);
    end for;
    assert(b[false] and not b[true], "i runs over false and true");
    assert(x[2, true, E.two] == 212 and x[1, false, E.one] == 101, "each of the iterators has its type");
  end LoopsOverTypes;

  function positive
    input Integer x[:];
    output Integer y[:];
  algorithm
    for i in 1:size(x, 1) loop
      if x[i] > 0 then
        y := cat(1, y, x[i:i]);
      end if;
    end for;
  end positive;

  model FlexibleSizes
    parameter Integer a[:] = {-2, 1, 0, -1, 2};
    Integer x[:] = positive(a);
    Integer none[:] = positive({-1, -2});
  equation
    assert(size(x, 1) == 2 and x[1] == 1 and x[2] == 2, "the function finds the size");
    assert(size(none, 1) == 0, "what is never assigned is empty");
  end FlexibleSizes;
end Inherited;
