model text_two_equations
  String s, t;
  Real y = if s == t then 1 else 0;
equation
  s = if time > 0.5 then "b" else "c";
  s = if time > 0.6 then "b" else "c";
end text_two_equations;
