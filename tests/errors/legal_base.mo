connector Pin
  Real v;
  flow Real i;
end Pin;
model Resistor
  extends Pin;
end Resistor;
function f
  extends Base;
  input Real u;
  output Real y = u;
end f;
model Base
  Real x = 1;
end Base;
model A
  Resistor r;
  Real y = f(1);
end A;
