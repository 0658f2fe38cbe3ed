package P
  model Resistor
    Real v = 1;
  end Resistor;
end P;
model A
  P.Resistr r;
end A;
