model A
  parameter Real mass = 1;
  Real x = maas;
end A;
