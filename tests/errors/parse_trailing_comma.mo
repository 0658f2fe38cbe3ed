model A
  Real x = max(1, );
end A;
