model A
  Boolean a(start = false, fixed = true);
equation
  a = not pre(a);
end A;
