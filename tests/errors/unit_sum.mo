model A
  parameter Real m(unit = "kg") = 1;
  parameter Real l(unit = "m") = 1;
  Real x = m + l;
end A;
