model text_of_itself
  String s, t = s + "a";
  Real y = if t == "aa" then 1 else 0;
equation
  s = t;
end text_of_itself;
