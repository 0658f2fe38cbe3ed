model A
  import P.Q.x;
  Real y = x;
end A;
