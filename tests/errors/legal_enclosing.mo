model A
  Real x = 1;
  model B
    Real y = x;
  end B;
  B b;
end A;
