model A
  publc Real x = 1;
end A;
