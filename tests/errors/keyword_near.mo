model keyword_near
  parametr Real k = 1;
  Real x(start = 1, fixed = true);
equatoin
  der(x) = -k*x;
end keyword_near;
