record R
  Real a;
  Real b;
end R;
function f
  input Real x;
  output R r;
algorithm
  r := R(x, 2*x);
end f;
model Part
  parameter R r = R(1, 2);
end Part;
model type_record_array
  Part part(r = f({1, 2, 3})) "the function is called for each element";
  Part parts[3](r = f({1, 2, 3}));
end type_record_array;
