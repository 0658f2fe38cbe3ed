package P
  constant Real x = 1;
end P;
