record Spheres
  Real list[:, 4] = zeros(0, 4);
end Spheres;
model Grains
  parameter Spheres spheres = Spheres();
end Grains;
model array_record_field
  Grains grains(spheres = Spheres(list = [0, 0, 0; 1, 1, 1]));
end array_record_field;
