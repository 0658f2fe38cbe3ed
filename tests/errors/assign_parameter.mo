model A
  parameter Real p = 1;
  Real x;
algorithm
  p := 2;
  x := p;
end A;
