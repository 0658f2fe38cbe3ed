within Rattleback;
package Interfaces "Connectors of three-dimensional parts"
  connector Frame "Coordinate system of a part; connected frames coincide"
    // What is connected is handed to the multibody system as a whole: there are no variables.
    annotation(__Rattleback(opaque = true),
      Icon(graphics = {Rectangle(extent = {{-30, 100}, {30, -100}}, fillPattern = FillPattern.Solid)}));
  end Frame;
  connector Frame_a = Frame "Coordinate system on the left of a part";
  connector Frame_b = Frame "Coordinate system on the right of a part";
  connector Frame_resolve = Frame "Coordinate system whose axes are used; no force acts there";
end Interfaces;
