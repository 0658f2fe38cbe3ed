model A
  extends ;
  Real x = 1;
end A;
