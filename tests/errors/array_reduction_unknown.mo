model A
  Real x = mean(i for i in 1:3);
end A;
