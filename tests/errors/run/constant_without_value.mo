model A
  constant Real c;
  Real x = time;
end A;
