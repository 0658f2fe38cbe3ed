model text_initial_equation
  String s;
  Real y = if s == "a" then 1 else 0;
initial equation
  s = "a";
equation
  when time > 0.5 then
    s = "b";
  end when;
end text_initial_equation;
