model A
  Real x = #5;
end A;
