connector C
  Real v;
  flow Real i;
end C;
