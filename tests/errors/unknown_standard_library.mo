model unknown_standard_library
  Modelica.Blocks.Sources.Sine sine;
end unknown_standard_library;
