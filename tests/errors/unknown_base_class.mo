model A
  extends Basis;
  Real x = 1;
end A;
