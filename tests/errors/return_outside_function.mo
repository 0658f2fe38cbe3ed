model ReturnOutsideFunction
  Real x;
algorithm
  x := 1;
  return;
end ReturnOutsideFunction;
