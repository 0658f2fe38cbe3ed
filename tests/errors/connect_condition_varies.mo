connector C = Real;
model A
  C c;
  C d;
equation
  if time > 1 then
    connect(c, d);
  end if;
end A;
