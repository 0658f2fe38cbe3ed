type Gear = enumeration(first, second, first, start);
model A
  Gear g = Gear.first;
  Real Integer = 1;
end A;
