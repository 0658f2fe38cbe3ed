model A
  Real x[2];
equation
  for i in 1:2
    x[i] = i;
  end for;
end A;
