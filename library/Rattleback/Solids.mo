within Rattleback;
package Solids "Solids made by functions: bodies of revolution, extruded polygons, files, union, difference, intersection"
  import Rattleback.Units.*;
  import Rattleback.pi;

  operator record TriangleMesh "A solid as the closed surface of triangles; built when a run starts"
    String recipe "How it is made";

    encapsulated operator 'constructor'
      function fromTriangles "From vertices, and triangles that run counter-clockwise seen from outside"
        import Rattleback.Solids.TriangleMesh;
        import Rattleback.Solids.listed;
        input Real vertices[:, 3] "Coordinates of points [m]";
        input Integer triangles[:, 3] "Numbers of their points, from 1";
        output TriangleMesh mesh;
      algorithm
        mesh.recipe := listed(vertices) + listed(triangles) + String(size(vertices, 1)) + " " + String(size(triangles, 1)) + " mesh";
      end fromTriangles;
    end 'constructor';

    encapsulated operator function '+' "Union"
      import Rattleback.Solids.TriangleMesh;
      input TriangleMesh a;
      input TriangleMesh b;
      output TriangleMesh mesh;
    algorithm
      mesh.recipe := a.recipe + " " + b.recipe + " union";
    end '+';

    encapsulated operator function '-' "Difference"
      import Rattleback.Solids.TriangleMesh;
      input TriangleMesh a;
      input TriangleMesh b;
      output TriangleMesh mesh;
    algorithm
      mesh.recipe := a.recipe + " " + b.recipe + " difference";
    end '-';
    annotation(Icon(graphics = {Line(points = {{-80, -60}, {0, 60}, {80, -60}, {-80, -60}})}));
  end TriangleMesh;

  operator record Polygon "A polygon in the plane, also concave and with holes: the section of a solid"
    String recipe "How it is made";

    encapsulated operator 'constructor'
      function fromPoints "One loop; it may run either way round"
        import Rattleback.Solids.Polygon;
        import Rattleback.Solids.listed;
        input Real points[:, 2] "[m]";
        output Polygon polygon;
      algorithm
        polygon.recipe := listed(points) + String(size(points, 1)) + " points";
      end fromPoints;
    end 'constructor';
    annotation(Icon(graphics = {Polygon(points = {{-80, -60}, {0, 0}, {80, -60}, {0, 60}, {-80, -60}})}));
  end Polygon;

  function listed "Numbers of a matrix, row by row, each followed by a blank; long ones by halves, as each sum of texts is a copy"
    input Real m[:, :];
    output String list = "";
  protected
    Integer n = size(m, 1), half = div(n, 2);
  algorithm
    if n > 20 then
      list := listed(m[1:half, :]) + listed(m[half + 1:n, :]);
      return;
    end if;
    for i in 1:n loop
      for k in 1:size(m, 2) loop
        list := list + String(m[i, k], significantDigits = 17) + " ";
      end for;
    end for;
  end listed;

  // --- solids

  function Box "From the origin to the corner size"
    input Length size[3];
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := listed({size}) + "box";
  end Box;
  function Cylinder "About the z axis from z = 0; its points lie on the true surface"
    input Length radius;
    input Length height;
    input Integer segments = 48;
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := listed({{radius, height, segments}}) + "cylinder";
  end Cylinder;
  function Cone "About the z axis from z = 0"
    input Length radius;
    input Length topRadius;
    input Length height;
    input Integer segments = 48;
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := listed({{radius, topRadius, height, segments}}) + "cone";
  end Cone;
  function Sphere "About the origin, as a polyhedron; Shapes.Sphere is round"
    input Length radius;
    input Integer segments = 48;
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := listed({{radius, segments}}) + "sphere";
  end Sphere;
  function Torus "About the z axis"
    input Length radius "Of the ring";
    input Length tube "Radius of the tube";
    input Integer segments = 48;
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := listed({{radius, tube, segments}}) + "torus";
  end Torus;
  function GearWheel "Involute teeth about the z axis, from z = 0"
    input Length module_ "Pitch diameter over the number of teeth";
    input Integer teeth;
    input Length height;
    input Angle pressureAngle = pi/9;
    input Integer points = 8 "Of each flank";
    output TriangleMesh mesh;
  algorithm
    mesh := extrude(aroundCircle(Tooth(module_, teeth, pressureAngle, points), teeth), height);
  end GearWheel;
  function Hull "The convex hull of points"
    input Position points[:, 3];
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := listed(points) + String(size(points, 1)) + " hull";
  end Hull;
  function File "From a file .stl, .obj, .ply or .dxf beside the model; equal points are welded"
    input String fileName;
    input Real scale = 0 "Metres per unit of the file; 0: the unit that a drawing says, otherwise 1 m";
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := "\"" + fileName + "\" " + listed({{scale}}) + "file";
  end File;

  // --- polygons

  function Circle "A polygon of points on it"
    input Length radius;
    input Position centre[2] = zeros(2);
    input Integer segments = 48;
    output Polygon polygon;
  algorithm
    polygon.recipe := listed({{centre[1], centre[2], radius, segments}}) + "circle";
  end Circle;
  function Arc "Points of an arc, to be joined to others"
    input Length radius;
    input Angle from;
    input Angle to;
    input Position centre[2] = zeros(2);
    input Integer segments = 12;
    output Polygon polygon;
  algorithm
    polygon.recipe := listed({{centre[1], centre[2], radius, from, to, segments}}) + "arc";
  end Arc;
  function Tooth "One involute tooth along the x axis, to be repeated around a circle"
    input Length module_;
    input Integer teeth;
    input Angle pressureAngle = pi/9;
    input Integer points = 8;
    output Polygon polygon;
  algorithm
    polygon.recipe := listed({{module_, teeth, pressureAngle, points}}) + "tooth";
  end Tooth;
  function IconPolygon "A polygon that is drawn in the icon of a class: traced over a picture with the icon editor"
    input String className = "" "Full name, or as seen from where the call stands; empty: the class in which it stands";
    input Integer index = 1 "Which of the polygons, in the order in which they are drawn: inherited ones first";
    input Length scale = 0.001 "Metres per unit of the icon";
    input Types.IconPrimitive primitive = Types.IconPrimitive.polygon "What else is to be taken";
    input Integer segments = 48 "Of an ellipse";
    input Real points[:, 2] = tracedPoints(className, index, primitive, segments) "Leave it open";
    output Polygon polygon;
  algorithm
    polygon := Polygon(scale*points);
  end IconPolygon;
  function iconPoints "Points of a polygon in the icon of a class, in units of the icon; the first is not repeated at the end"
    input String className = "" "Full name, or as seen from where the call stands; empty: the class in which it stands";
    input Integer index = 1 "Which of the polygons, in the order in which they are drawn: inherited ones first";
    input Types.IconPrimitive primitive = Types.IconPrimitive.polygon "What else is to be taken";
    input Integer segments = 48 "Of an ellipse";
    input Real traced[:, 2] = tracedPoints(className, index, primitive, segments) "Leave it open";
    output Real points[size(traced, 1), 2] = traced;
  algorithm
  end iconPoints;
  function tracedPoints "Known when a model is translated, so it stands among the defaults of functions, which are of the place of a call"
    input String className;
    input Integer index;
    input Types.IconPrimitive primitive;
    input Integer segments;
    output Real points[:, 2];
  external "builtin" points = rattleback_traced_points(className, index, primitive, segments);
  end tracedPoints;
  function join "The points of b follow those of a"
    input Polygon a;
    input Polygon b;
    output Polygon polygon;
  algorithm
    polygon.recipe := a.recipe + " " + b.recipe + " join";
  end join;
  function withHole "Another loop: what lies in an odd number of loops belongs to the polygon"
    input Polygon a;
    input Polygon hole;
    output Polygon polygon;
  algorithm
    polygon.recipe := a.recipe + " " + hole.recipe + " hole";
  end withHole;
  function aroundCircle "n copies around the origin, one after the other"
    input Polygon a;
    input Integer n;
    output Polygon polygon;
  algorithm
    polygon.recipe := a.recipe + " " + String(n) + " around";
  end aroundCircle;
  function alongLine "n copies, each moved by r against the one before"
    input Polygon a;
    input Integer n;
    input Position r[2];
    output Polygon polygon;
  algorithm
    polygon.recipe := a.recipe + " " + listed({{n, r[1], r[2]}}) + "along";
  end alongLine;
  function mapPolygon "Points x become m*x + r: moved, turned, scaled, mirrored"
    input Polygon a;
    input Real m[2, 2] = identity(2);
    input Position r[2] = zeros(2);
    output Polygon polygon;
  algorithm
    polygon.recipe := a.recipe + " " + listed(m) + listed({r}) + "map";
  end mapPolygon;

  // --- solids from polygons

  function extrude "Drawn out along z"
    input Polygon polygon;
    input Length height "From z = 0; a negative one goes below";
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := polygon.recipe + " " + listed({{height}}) + "extrude";
  end extrude;
  function lathe "Turned about the z axis; x of the polygon is the radius, y the height"
    input Polygon polygon;
    input Integer segments = 48;
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := polygon.recipe + " " + String(segments) + " lathe";
  end lathe;
  function sweep "Moved along a path, across it; corners are mitred"
    input Polygon polygon;
    input Position path[:, 3];
    input Boolean closed = false "The end joins the start";
    input Real up[3] = {0, 0, 1} "Where its y axis points at first, nearly";
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := polygon.recipe + " " + listed(path) + String(size(path, 1)) + " " + (if closed then "1 " else "0 ") + listed({up}) + "sweep";
  end sweep;

  // --- solids from solids

  function translate
    input TriangleMesh a;
    input Position r[3];
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := a.recipe + " " + listed({r}) + "move";
  end translate;
  function rotate "About x, then about the new y, then about the new z"
    input TriangleMesh a;
    input Angle angles[3];
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := a.recipe + " " + listed({angles}) + "turn";
  end rotate;
  function scale "Along the axes; an odd number of negative factors makes a mirror image"
    input TriangleMesh a;
    input Real factors[3];
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := a.recipe + " " + listed({factors}) + "scale";
  end scale;
  function union
    input TriangleMesh a;
    input TriangleMesh b;
    output TriangleMesh mesh;
  algorithm
    mesh := a + b;
  end union;
  function difference "What is in a and not in b"
    input TriangleMesh a;
    input TriangleMesh b;
    output TriangleMesh mesh;
  algorithm
    mesh := a - b;
  end difference;
  function intersection "What is in both"
    input TriangleMesh a;
    input TriangleMesh b;
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := a.recipe + " " + b.recipe + " intersection";
  end intersection;
  function convexHull "The convex hull of a solid"
    input TriangleMesh a;
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := a.recipe + " wrap";
  end convexHull;
  function recipes "Of several solids, one after the other"
    input TriangleMesh solids[:];
    output String list = "";
  algorithm
    for i in 1:size(solids, 1) loop
      list := list + solids[i].recipe + " ";
    end for;
  end recipes;
  function simplify "Fewer triangles; no point of the surface moves by more than tolerance"
    input TriangleMesh a;
    input Length tolerance = 1e-9;
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := a.recipe + " " + listed({{tolerance}}) + "simplify";
  end simplify;
  function refine "No side longer than longest"
    input TriangleMesh a;
    input Length longest;
    output TriangleMesh mesh;
  algorithm
    mesh.recipe := a.recipe + " " + listed({{longest}}) + "refine";
  end refine;

  // --- mass

  record MassProperties "As the parameters of a body: Parts.Body, or one of Modelica.Mechanics.MultiBody"
    Mass m;
    Position r_CM[3] "Centre of mass, in the frame of the solid";
    Real I_11(unit = "kg.m2"), I_22(unit = "kg.m2"), I_33(unit = "kg.m2"), I_21(unit = "kg.m2"), I_31(unit = "kg.m2"), I_32(unit = "kg.m2") "About the centre of mass";
  end MassProperties;
  function massNumbers "m, r_CM, I_11, I_22, I_33, I_21, I_31, I_32"
    input String recipe;
    input Real density(unit = "kg/m3");
    output Real values[10];
  external "C" rattleback_solid_mass(recipe, density, values);
  end massNumbers;
  function massProperties "Mass, centre of mass and inertia of a solid; its files are named from where the run is started"
    input TriangleMesh solid;
    input Real density(unit = "kg/m3");
    output MassProperties p;
  protected
    Real v[10];
  algorithm
    v := massNumbers(solid.recipe, density);
    p.m := v[1];
    p.r_CM := v[2:4];
    p.I_11 := v[5];
    p.I_22 := v[6];
    p.I_33 := v[7];
    p.I_21 := v[8];
    p.I_31 := v[9];
    p.I_32 := v[10];
  end massProperties;

  function GenevaWheel "Output wheel of a Geneva mechanism (Elmqvist et al. 2015, sections 2.4 and 8.2), about the y axis"
    input Length radius = 1 "Of the wheel";
    input Integer nSlots(min = 3) = 3 "Number of driven slots";
    input Length pinDiameter = radius/10;
    input Length clearance = radius/100;
    input Length height = radius/5;
    input Integer segments = 48;
    output TriangleMesh mesh;
  protected
    Length centerDistance = radius/cos(pi/nSlots);
    Length driveCrankRadius = sqrt(centerDistance^2 - radius^2);
    Length slotLength = radius + driveCrankRadius - centerDistance;
    Length slotWidth = pinDiameter + clearance;
    Length stopArcRadius = driveCrankRadius - pinDiameter*1.5;
  algorithm
    assert(nSlots > 2, "a Geneva wheel needs three slots or more");
    mesh := rotate(Cylinder(radius, height, segments), {pi/2, 0, 0});
    for i in 1:nSlots loop
      mesh := difference(mesh, rotate(translate(Box({slotLength, height, slotWidth}), {radius - slotLength, -height, -slotWidth/2}), {0, 2*pi/nSlots*(0.5 + i), 0}));
      mesh := difference(mesh, rotate(translate(rotate(Cylinder(slotWidth/2, height, segments), {pi/2, 0, 0}), {radius - slotLength, 0, 0}), {0, 2*pi/nSlots*(0.5 + i), 0}));
      mesh := difference(mesh, rotate(translate(rotate(Cylinder(stopArcRadius, height, segments), {pi/2, 0, 0}), {centerDistance, 0, 0}), {0, 2*pi/nSlots*i, 0}));
    end for;
    mesh := simplify(mesh, 1e-12*radius);
  end GenevaWheel;

  function GenevaDrive "Drive of a Geneva mechanism about the y axis, its pin along +x"
    input Length radius = 1 "Of the wheel";
    input Integer nSlots(min = 3) = 3;
    input Length pinDiameter = radius/10;
    input Length clearance = radius/100;
    input Length height = radius/5;
    input Integer segments = 48;
    output TriangleMesh mesh;
  protected
    Length centerDistance = radius/cos(pi/nSlots);
    Length driveCrankRadius = sqrt(centerDistance^2 - radius^2);
    Length stopDiscRadius = driveCrankRadius - pinDiameter*1.5 - clearance;
    Length clearanceArc = radius*stopDiscRadius/driveCrankRadius;
    Length above = radius/10;
    Length total = height + 1.5*above;
  algorithm
    mesh := translate(rotate(Cylinder(stopDiscRadius, total, segments), {pi/2, 0, 0}), {0, above, 0});
    mesh := mesh - translate(rotate(Cylinder(clearanceArc, total, segments), {pi/2, 0, 0}), {centerDistance*stopDiscRadius/driveCrankRadius, 0.2*above, 0});
    mesh := mesh + translate(Box({driveCrankRadius, 0.5*above, pinDiameter/2}), {0, 0.3*above, -pinDiameter/4});
    mesh := mesh + translate(rotate(Cylinder(pinDiameter/2, total, segments), {pi/2, 0, 0}), {driveCrankRadius, above, 0});
    mesh := simplify(mesh, 1e-12*radius);
  end GenevaDrive;
end Solids;
