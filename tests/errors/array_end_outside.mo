model A
  Real x = end;
end A;
