within Rattleback;
package Shapes "What parts look like, and what touches"
  import Rattleback.Units.*;
  record Shape "A shape with its sizes; made by the functions of this package"
    Integer kind "Number of the kind";
    Integer axis "1, 2, 3: axis along x, y, z";
    Length size[4] "Lengths and diameters in the order of the function";
    Length smoothing "Radius of edges";
    Length contactRadius "For Hertz' contact law; 0: from the sizes";
    annotation(Icon(graphics = {Rectangle(extent = {{-60, 60}, {60, -60}})}));
  end Shape;
  constant Length defaultSmoothing = 0.001 "At most a tenth of the smallest length is used, of what may touch at least a ten-thousandth";

  function None "No shape"
    output Shape shape;
  algorithm
    shape := Shape(0, 3, zeros(4), 0, 0);
  end None;
  function Sphere
    input Length diameter = 1;
    input Length contactRadius = 0;
    output Shape shape;
  algorithm
    shape := Shape(1, 3, {diameter, 0, 0, 0}, defaultSmoothing, contactRadius);
  end Sphere;
  function Ellipsoid "With three axes"
    input Length lengthX = 1;
    input Length lengthY = 1;
    input Length lengthZ = 1;
    input Length contactRadius = 0;
    output Shape shape;
  algorithm
    shape := Shape(2, 3, {lengthX, lengthY, lengthZ, 0}, defaultSmoothing, contactRadius);
  end Ellipsoid;
  function Box "Frame in the middle"
    input Length lengthX = 1;
    input Length lengthY = 1;
    input Length lengthZ = 1;
    input Length smoothing = defaultSmoothing;
    input Length contactRadius = 0;
    output Shape shape;
  algorithm
    shape := Shape(3, 3, {lengthX, lengthY, lengthZ, 0}, smoothing, contactRadius);
  end Box;
  function Cylinder "Frame in the middle; an inner diameter counts for the mass only"
    input Length diameter = 1;
    input Length length = 1;
    input Integer axis = 3;
    input Length innerDiameter = 0;
    input Length smoothing = defaultSmoothing;
    input Length contactRadius = 0;
    output Shape shape;
  algorithm
    shape := Shape(4, axis, {diameter, length, innerDiameter, 0}, smoothing, contactRadius);
  end Cylinder;
  function Cone "Frame in the middle of the base, top at +length"
    input Length diameter = 1;
    input Length length = 1;
    input Integer axis = 3;
    input Length topDiameter = 0;
    input Length smoothing = defaultSmoothing;
    input Length contactRadius = 0;
    output Shape shape;
  algorithm
    shape := Shape(5, axis, {diameter, length, topDiameter, 0}, smoothing, contactRadius);
  end Cone;
  function Capsule "Cylinder with a half sphere at both ends; length without these"
    input Length diameter = 1;
    input Length length = 1;
    input Integer axis = 3;
    input Length contactRadius = 0;
    output Shape shape;
  algorithm
    shape := Shape(6, axis, {diameter, length, 0, 0}, defaultSmoothing, contactRadius);
  end Capsule;
  function Beam "Box with half cylinders at both ends; length without these, width is their diameter"
    input Length length = 1;
    input Length width = 0.2;
    input Length thickness = 0.1;
    input Integer axis = 1;
    input Length smoothing = defaultSmoothing;
    input Length contactRadius = 0;
    output Shape shape;
  algorithm
    shape := Shape(7, axis, {length, width, thickness, 0}, smoothing, contactRadius);
  end Beam;
  function HalfSpace "All points below the origin; only for parts that do not move. A workpiece needs a box as ground"
    input Integer axis = 0 "0: what is below is said by the uniform gravity of the World (without it: y <= 0); 1, 2, 3: x, y, z <= 0";
    output Shape shape;
  algorithm
    shape := Shape(9, axis, zeros(4), 0, 0);
  end HalfSpace;
  function Mesh "From the file that the part names"
    input Length smoothing = defaultSmoothing "Of convex parts: at most a fifth of the way from the centroid to the nearest face is used";
    input Length contactRadius = 0;
    output Shape shape;
  algorithm
    shape := Shape(10, 3, zeros(4), smoothing, contactRadius);
  end Mesh;
  function CoordinateSystem "Only seen: three arrows along x, y, z"
    input Length length = 1;
    output Shape shape;
  algorithm
    shape := Shape(11, 3, {length, 0, 0, 0}, 0, 0);
  end CoordinateSystem;
  function Grid "Only seen: lines at a distance, across the axis"
    input Length length = 1;
    input Length width = 1;
    input Length distance = 0.1;
    input Integer axis = 3;
    output Shape shape;
  algorithm
    shape := Shape(12, axis, {length, width, distance, 0}, 0, 0);
  end Grid;
  function Spring "Only seen: frame in the middle of its lower end"
    input Length length = 1;
    input Length diameter = 0.2;
    input Length wireDiameter = 0.02;
    input Real windings = 5;
    input Integer axis = 3;
    output Shape shape;
  algorithm
    shape := Shape(13, axis, {length, diameter, wireDiameter, windings}, 0, 0);
  end Spring;
  function GearWheel "Only seen"
    input Length diameter = 1;
    input Length length = 0.2;
    input Integer teeth = 20;
    input Length innerDiameter = 0;
    input Integer axis = 3;
    output Shape shape;
  algorithm
    shape := Shape(14, axis, {diameter, length, innerDiameter, teeth}, 0, 0);
  end GearWheel;
  function Text "Only seen: the text that the part names"
    input Length charSize = 0.1;
    output Shape shape;
  algorithm
    shape := Shape(15, 3, {charSize, 0, 0, 0}, 0, 0);
  end Text;
end Shapes;
