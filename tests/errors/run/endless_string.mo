function f
  input Real u;
  output Real y;
protected
  String z;
algorithm
  z := "a";
  while true loop
    z := z + z;
  end while;
  y := 1;
end f;
model M
  constant Real c = f(1);
  Real x(start = 0, fixed = true);
equation
  der(x) = c;
end M;
