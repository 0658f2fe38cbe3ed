model A
  connector C
    Real v;
    flow Real i;
  end C;
  C c;
equation
  connect(c, d);
end A;
