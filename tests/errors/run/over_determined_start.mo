model A
  Real x, y;
initial equation
  x = 1;
  y = 2;
  der(x) = 0;
equation
  der(x) = -x;
  der(y) = -y;
end A;
