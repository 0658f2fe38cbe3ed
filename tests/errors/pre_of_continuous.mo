model A
  Real x(start = 0, fixed = true), y, z(start = 0, fixed = true), k(start = 0, fixed = true);
equation
  der(x) = 1;
  y = pre(x);
  der(z) = pre(k);
  when x > 0.5 then
    k = pre(x) + pre(k);
  end when;
end A;
