model A
  Modelicaa.Blocks.Sources.Sine s;
end A;
