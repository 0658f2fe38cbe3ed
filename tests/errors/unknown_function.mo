model A
  Real x = foo(1);
end A;
