model A
  Real x = 1; // grüße
end A;
