model A
  Real x = true;
end A;
