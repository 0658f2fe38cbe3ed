model A
  model Part
    parameter String material = "Steel";
    parameter String others[:] = fill("", 0);
  end Part;
  Part plain(material = Steel);
  Part file(material = cup.stl);
  Part named(material = plain);
  Part listed(others = {plain, named});
end A;
