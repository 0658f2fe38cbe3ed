within Rattleback;
package Interfaces "Connectors of three-dimensional parts, and of functions"
  import Rattleback.Units.*;

  connector Frame "Coordinate system of a part; connected frames coincide"
    // What is connected is handed to the multibody system as a whole: there are no variables.
    annotation(__Rattleback(opaque = true),
      Icon(graphics = {Rectangle(extent = {{-30, 100}, {30, -100}}, fillPattern = FillPattern.Solid)}));
  end Frame;
  connector Frame_a = Frame "Coordinate system on the left of a part";
  connector Frame_b = Frame "Coordinate system on the right of a part";
  connector Frame_resolve = Frame "Coordinate system whose axes are used; no force acts there";

  partial function partialGravityAcceleration "Gravity as a function of the place: what World.gravityAcceleration is redeclared to"
    input Position r[3] "In the world";
    output Acceleration gravity[3] "In the axes of the world";
    annotation(Documentation(info = "<html><p>Names as in Modelica.Mechanics.MultiBody.Interfaces.</p></html>"));
  end partialGravityAcceleration;
end Interfaces;
