model A
  Real x[2];
equation
  for i in 2 loop
    x[i] = 1;
  end for;
end A;
