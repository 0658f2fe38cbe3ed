model A
  Real größe = 1;
end A;
