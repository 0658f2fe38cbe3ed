model A "What the initial equations are to determine follows from parameters"
  parameter Real p_source = 5, p_start = 5, p_other = 6;
  Real p, q, x;
initial equation
  p = p_start;
  q = p_other;
  x = 1;
equation
  p = p_source;
  q = 2*p_source;
  der(x) = p - x;
end A;
