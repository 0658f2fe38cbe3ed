model A
  Real x[2];
  Integer n = integer(time);
equation
  for i in 1:n loop
    x[i] = 1;
  end for;
end A;
