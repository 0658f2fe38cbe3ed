model A
  Resistor r;
end A;
