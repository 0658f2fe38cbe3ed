operator record P
  Real x;
  encapsulated operator 'constructor'
    function fromReal
      import P;
      input Real x;
      output P p(x = x);
    algorithm
    end fromReal;
    function fromInteger
      import P;
      input Integer n;
      output P p(x = n);
    algorithm
    end fromInteger;
  end 'constructor';
  encapsulated operator function '+'
    import P;
    input P a;
    input P b;
    output P c;
  algorithm
    c.x := a.x + b.x;
  end '+';
end P;
model A
  P a = P(1.5);
  P b = a + 2;
end A;
