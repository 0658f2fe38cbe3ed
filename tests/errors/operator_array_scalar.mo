operator record C
  Real re;
  Real im;
  encapsulated operator 'constructor'
    function fromReal
      import C;
      input Real re;
      input Real im = 0;
      output C z(re = re, im = im);
    algorithm
    end fromReal;
  end 'constructor';
  encapsulated operator function '+'
    import C;
    input C a;
    input C b;
    output C c;
  algorithm
    c := C(a.re + b.re, a.im + b.im);
  end '+';
  encapsulated operator '*'
    function multiply
      import C;
      input C a;
      input C b;
      output C c;
    algorithm
      c := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
    end multiply;
    function scale
      import C;
      input C a;
      input Boolean b;
      output C c;
    algorithm
      c := if b then a else C(0);
    end scale;
  end '*';
  encapsulated operator function 'String'
    import C;
    input C a;
    output String s;
  algorithm
    s := String(a.re);
  end 'String';
end C;
model A
  C a[2] = {C(1), C(2)};
  C b[2] = a + 1;
end A;
