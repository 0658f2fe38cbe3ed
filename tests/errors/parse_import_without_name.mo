model A
  import ;
  Real x = 1;
end A;
