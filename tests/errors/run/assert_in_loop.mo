model A
  Real x[3] = {3, 2, 1};
algorithm
  for i in 1:3 loop
    assert(x[i] > 1.5, "x[" + String(i) + "] is too small");
  end for;
end A;
