model M
  model Inside
    Real y = 1;
  end Inside;
protected
  model Hidden
    Real y = 1;
  end Hidden;
  replaceable Real x = 1;
  Real z = 2;
end M;
model A
  M.Hidden h;
  M m(z = 3);
  M n(redeclare Real x = 2);
end A;
