model A
  Real x = ;
  Real y = 1 +;
end A;
