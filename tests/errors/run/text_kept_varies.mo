model text_kept_varies
  Integer k = integer(10*time);
  String s(start = "");
  Real y = if s == "7" then 1 else 0;
equation
  when k > 6 then
    s = String(k);
  end when;
end text_kept_varies;
