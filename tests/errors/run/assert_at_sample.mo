model A
  Integer k(start = 0, fixed = true);
equation
  when sample(0.1, 0.1) then
    k = pre(k) + 1;
  end when;
  assert(k < 3, "k is " + String(k));
end A;
