model text_in_algorithm
  String s;
  Real y;
algorithm
  s := if time > 0.5 then "b" else "a";
  y := if s == "b" then 1 else 0;
end text_in_algorithm;
