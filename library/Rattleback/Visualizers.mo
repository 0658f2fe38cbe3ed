within Rattleback;
package Visualizers "What equations look like: shapes, arrows and meshes that follow variables"
  import Rattleback.Units.*;
  record Orientation "Axes of a frame"
    Real T[3, 3] = identity(3) "A vector of the world times T has the components of the frame";
    annotation(Icon(graphics = {Line(points = {{-60, -60}, {60, -60}}), Line(points = {{-60, -60}, {-60, 60}})}));
  end Orientation;

  partial model PartialVisual "A frame and a colour"
    input Orientation R = Orientation() "Axes of the frame of the object" annotation(Dialog);
    input Position r[3] = {0, 0, 0} "Origin of that frame, in the world" annotation(Dialog);
    input Real color[3] = {155, 155, 155} "Red, green, blue: 0 ... 255" annotation(Dialog(colorSelector = true));
  end PartialVisual;

  model Shape "A simple body with sizes; names and meaning as in ModelicaServices.Animation.Shape"
    extends PartialVisual;
    parameter String shapeType = "box" "box, sphere, cylinder, pipe, cone, beam, gearwheel, spring or the URI of a mesh file";
    input Position r_shape[3] = {0, 0, 0} "From the frame to the left end of the shape, in its axes" annotation(Dialog);
    input Real lengthDirection[3] = {1, 0, 0} "In the axes of the frame" annotation(Dialog);
    input Real widthDirection[3] = {0, 1, 0} "In the axes of the frame" annotation(Dialog);
    input Length length = 1 "Along lengthDirection" annotation(Dialog);
    input Length width = length "Along widthDirection; diameter of round shapes" annotation(Dialog);
    input Length height = width "Perpendicular to both; diameter of the wire of a spring" annotation(Dialog);
    input Real extra = 0 "cone: diameter at the right end / width; pipe: inner diameter / width; number of teeth or windings; file: 1 scales it" annotation(Dialog);
    annotation(__Rattleback(visual = "shape"),
      Icon(graphics = {Rectangle(extent = {{-60, 40}, {60, -40}}), Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}));
  end Shape;

  model Vector "An arrow from the origin of the frame"
    extends PartialVisual(color = {0, 120, 255});
    input Real coordinates[3] = {0, 0, 0} "In the axes of the frame; 1 is drawn as 1 m" annotation(Dialog);
    annotation(__Rattleback(visual = "vector"),
      Icon(graphics = {Line(points = {{-70, -40}, {70, 40}}, arrow = {Arrow.None, Arrow.Filled}), Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}));
  end Vector;

  model Mesh "Triangles whose corners may move"
    extends PartialVisual;
    parameter Integer triangles[:, 3] "Numbers of the corners, from 1, counter-clockwise seen from outside";
    input Position vertices[:, 3] "In the axes of the frame" annotation(Dialog);
    input Real colors[:, 3] = fill(0, 0, 3) "Red, green, blue of every corner or of every triangle: 0 ... 255; none: color" annotation(Dialog);
    annotation(__Rattleback(visual = "mesh"),
      Icon(graphics = {Polygon(points = {{-60, -40}, {60, -40}, {0, 50}, {-60, -40}}), Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}));
  end Mesh;

  partial function SurfaceFunction "Points of a surface, in its frame"
    input Integer nu "Number of points in the first direction";
    input Integer nv "Number of points in the second direction";
    input Boolean multiColoredSurface = false "= true: every point has a colour";
    output Position X[nu, nv];
    output Position Y[nu, nv];
    output Position Z[nu, nv];
    output Real C[if multiColoredSurface then nu else 0, if multiColoredSurface then nv else 0, 3] "Red, green, blue of each point: 0 ... 255";
  end SurfaceFunction;

  model Surface "A grid of points that a function computes when it is drawn; names and meaning as in ModelicaServices.Animation.Surface"
    extends PartialVisual;
    replaceable function surfaceCharacteristic = SurfaceFunction "Computes the points" annotation(choicesAllMatching = true);
    parameter Integer nu = 2 "Number of points in the first direction";
    parameter Integer nv = 2 "Number of points in the second direction";
    parameter Boolean multiColoredSurface = false "= true: the function gives every point a colour";
    input Real transparency = 0 "0: opaque ... 1: not seen" annotation(Dialog);
    annotation(__Rattleback(visual = "surface"),
      Icon(graphics = {Polygon(points = {{-80, -20}, {-20, 30}, {80, 10}, {20, -40}, {-80, -20}}), Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}));
  end Surface;
end Visualizers;
