connector C = Real;
connector D = Boolean;
model A
  C c;
  D d;
equation
  connect(c, d);
end A;
