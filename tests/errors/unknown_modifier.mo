model B
  parameter Real R = 1;
end B;
model A
  B b(r = 2);
end A;
