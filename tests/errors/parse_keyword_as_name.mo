model A
  Real model = 1;
end A;
