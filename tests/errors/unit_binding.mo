model A
  parameter Real l(unit = "m") = 1;
  Real f(unit = "N") = 2 * l;
end A;
