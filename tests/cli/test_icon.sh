# Polygons that are drawn in icons of classes: points, areas by the shoelace formula, inherited and turned ones, messages.
. "$(dirname "$0")/expect.sh"

# last NAME: the last value of a variable in o.csv
last() {
    awk -F , -v name="\"$1\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i } END { print $column }' o.csv
}
near() { awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !(a - b <= t && b - a <= t) }' || complain "$1: got $2, want $3"; }
# shoelace "x y x y ...": the area
shoelace() {
    echo "$1" | awk '{ n = NF/2; for (i = 1; i <= n; i++) { j = i % n + 1; s += $(2*i - 1)*$(2*j) - $(2*j - 1)*$(2*i) } printf "%.12g\n", (s < 0 ? -s : s)/2 }'
}
volume() { grep -A 4 "^$1\$" stdout.txt | awk '/^volume/ { print $2 }'; }
box() { grep -A 4 "^$1\$" stdout.txt | grep '^box' | tr -s ' '; }

cat >Traced.mo <<END
package Traced
  constant Real wide = 40;
  partial model Base
    annotation(Icon(graphics = {Polygon(points = {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}}), Rectangle(extent = {{20, 5}, {-10, -10}})}));
  end Base;
  model Pallet "Inherited graphics are drawn first; the second polygon is concave, turned and moved"
    extends Base;
    annotation(Icon(coordinateSystem(extent = {{-100, -100}, {100, 100}}), graphics = {Text(extent = {{-100, 80}, {100, 40}}, textString = "%name"),
      Polygon(points = {{0, 0}, {wide, 0}, {40, 30}, {20, 7.5}, {0, 30}}, origin = {10, 20}, rotation = -270, lineColor = {0, 0, 255}),
      Ellipse(extent = {{-20, -10}, {20, 10}}), Line(points = {{0, 0}, {3, 0}, {0, 4}, {0, 0}}), Line(points = {{0, 0}, {1, 0}, {0, 1}}),
      Polygon(points = DynamicSelect({{0, 0}, {2, 0}, {1, -7}}, {{0, 0}, {x, 0}, {1, 1}}), rotation = 30)}));
  end Pallet;
  model Bare
    extends Base annotation(IconMap(primitivesVisible = false));
    annotation(Icon(graphics = {Polygon(points = {{0, 0}, {1, 0}, {0, 1}})}));
  end Bare;
  model Plate = Bare "A short class has the icon of its base";
  function hook
    output Rattleback.Solids.TriangleMesh mesh;
  algorithm
    mesh := Rattleback.Solids.extrude(Rattleback.Solids.IconPolygon("Traced.Pallet", 2, 1), 2);
  end hook;
  model All
    import Rattleback.*;
    import Primitive = Rattleback.Types.IconPrimitive;
    parameter Real unit = 0.01;
    parameter Solids.TriangleMesh own = Solids.extrude(Solids.IconPolygon(scale = 1), 2);
    parameter Solids.TriangleMesh inherited = Solids.extrude(Solids.IconPolygon("Pallet", scale = 1), 1);
    parameter Solids.TriangleMesh concave = Solids.extrude(Solids.IconPolygon("Traced.Pallet", 2, unit), 1);
    parameter Solids.TriangleMesh turned = Solids.extrude(Solids.IconPolygon(".Traced.Pallet", 3, 1), 1);
    parameter Solids.TriangleMesh rectangle = Solids.extrude(Solids.IconPolygon("Pallet", scale = 1, primitive = Primitive.rectangle), 1);
    parameter Solids.TriangleMesh ellipse = Solids.extrude(Solids.IconPolygon("Pallet", scale = 1, primitive = Primitive.ellipse, segments = 8), 1);
    parameter Solids.TriangleMesh line = Solids.extrude(Solids.IconPolygon("Pallet", scale = 1, primitive = Primitive.line), 1);
    parameter Solids.TriangleMesh bare = Solids.extrude(Solids.IconPolygon("Plate", scale = 1), 1);
    parameter Solids.TriangleMesh hooked = hook();
    parameter Real points[:, 2] = Solids.iconPoints("Traced.Pallet", 2);
    Real sum = (size(points, 1) + points[4, 1])*time;
    annotation(Icon(graphics = {Polygon(points = {{0, 0}, {2, 0}, {0, 2}})}));
  end All;
end Traced;
END
expect 0 "" solid Traced.mo Traced.All
concave=$(shoelace "0 0 40 0 40 30 20 7.5 0 30")
is "a polygon of the class itself" "$(volume own)" 4
is "an inherited one" "$(volume inherited)" 100
near "a concave one" "$(volume concave)" "$(awk -v a="$concave" 'BEGIN { print a*1e-4 }')" 1e-12
is "its place" "$(box concave)" "box {-0.2, 0.2, 0} to {0.1, 0.6, 1} m" # {x, y} becomes {10 - y, 20 + x}
is "a turned one" "$(volume turned)" "$(shoelace "0 0 2 0 1 -7")"
is "a rectangle" "$(volume rectangle)" 450
near "an ellipse: two axes and the octagon" "$(volume ellipse)" "$(awk 'BEGIN { printf "%.12g", 20*10*4*sin(atan2(0, -1)/4) }')" 1e-6
is "a line" "$(volume line)" 6
is "a short class, and a base whose icon is hidden" "$(volume bare)" 0.5
near "in a function" "$(volume hooked)" "$(awk -v a="$concave" 'BEGIN { print 2*a }')" 1e-6
expect 0 "" solid Traced.mo Traced.All --override unit=1 --part concave
near "another scale, without a new translation" "$(volume concave)" "$concave" 1e-9
# Five points, the fourth of which is {10 - 7.5, 20 + 20}.
expect 0 "" simulate Traced.mo Traced.All --quiet --output-file o.csv
near "points as a parameter" "$(last sum)" 7.5 1e-12

# refused CALL, GRAPHICS, MESSAGE: a model with this icon that calls this
refused() {
    cat >Wrong.mo <<END
model Wrong
  import Rattleback.Solids;
  import Rattleback.Types.IconPrimitive;
  Real y = time;
  parameter Solids.Polygon p = Solids.IconPolygon($1);
  annotation(Icon($2));
end Wrong;
model Right
  extends Wrong annotation(IconMap(extent = {{0, 0}, {1, 1}}));
end Right;
END
    expect 1 "$3" check Wrong.mo "${4:-Wrong}"
}
triangle="{{0, 0}, {1, 0}, {0, 1}}"
called="*Wrong.mo:5:32: note: the icon of 'Wrong' is used here*"
refused '"Wronng"' "" "Wrong.mo:5:32: error: class of an icon 'Wronng' is unknown; did you mean 'Wrong'?*"
refused '"Rattleback.Solids.Boxx"' "" "Wrong.mo:5:32: error: class of an icon 'Rattleback.Solids.Boxx' is unknown: 'Rattleback.Solids' has no 'Boxx'; did you mean 'Box'?*"
refused '"Rattleback.Solids.Box"' "" "Wrong.mo:5:32: error: 'Rattleback.Solids.Box' has no icon: draw a polygon in the icon editor, or write*"
refused '"."' "" "Wrong.mo:5:32: error: class of an icon '.' has no name*"
refused "" "" "Wrong.mo:5:32: error: the icon of 'Wrong' has no polygon; draw one in the icon editor*"
refused "" "graphics = {Line(points = $triangle), Line(points = $triangle)}" "*the icon of 'Wrong' has no polygon; it has 2 lines: give primitive = Rattleback.Types.IconPrimitive.line for those*"
refused "index = 3" "graphics = {Polygon(points = $triangle), Polygon(points = $triangle)}" "*the icon of 'Wrong' has 2 polygons, but not number 3*Wrong.mo:1:7: note*"
refused "index = 0" "graphics = {Polygon(points = $triangle)}" "*has 1 polygon, but not number 0*"
refused "index = integer(y)" "graphics = {Polygon(points = $triangle)}" "*which outline is asked for must be known before the simulation starts: 'y' is a variable*"
refused "primitive = IconPrimitive.line" "graphics = {Line(points = $triangle)}" "Wrong.mo:6:31: error: this line does not end where it begins$called"
refused "" "graphics = {Polygon(points = $triangle, smooth = Smooth.Bezier)}" "*draw it without smooth = Smooth.Bezier$called"
refused "" "graphics = {Polygon(points = {{0, 0, 1}, {1, 0, 1}})}" "*these must be points {x, y} of finite numbers$called"
refused "" "graphics = {Polygon(points = {{0, 0}, {1, 0}, {0, 0}})}" "*an outline needs three different points at least$called"
refused "" "graphics = {Polygon(points = Rattleback.Solids.iconPoints(\"Wrong\"))}" "*calls are nested too deeply*"
refused "points = rattleback_traced_points(\"Wrong\", 1, 5, 48)" "graphics = {Polygon(points = $triangle)}" "*there is no such primitive*"
refused "" "graphics = {Polygon(points = y)}" "*'y' belongs to the class 'Wrong'; from here only constants of it can be used$called"
refused "" "graphics = {Polygon(points = $triangle, origin = 3)}" "*this must be a point {x, y} of finite numbers$called"
refused "" "graphics = {Polygon(rotation = 3)}" "*this primitive of an icon has no points$called"
refused "primitive = IconPrimitive.rectangle" "graphics = {Rectangle(extent = {{0, 0}, {2, 2}}, radius = 1)}" "*this rectangle has round corners$called"
refused "primitive = IconPrimitive.rectangle" "graphics = {Rectangle(extent = {{0, 0}, {2, 0}})}" "*this extent has no area$called"
refused "primitive = IconPrimitive.ellipse" "graphics = {Ellipse(extent = {{0, 0}, {2, 2}}, endAngle = 90)}" "*only a part of an ellipse$called"
refused "primitive = IconPrimitive.ellipse, segments = 2" "graphics = {Ellipse(extent = {{0, 0}, {2, 2}})}" "*the number of segments must be from 3 to 100000*"
refused "" "graphics = {Polygon(points = $triangle)}" "Wrong.mo:9:*: error: outlines that an IconMap moves cannot be taken*" Right

# The lever of the example: its moments from its points, by sums over the triangles with the origin. The speed with which
# the fork meets the pin is that of a pendulum, w^2 = 2 g y_CM sin(phi)/(I/m); it comes to rest where the wall of the
# slot, at 6 units, touches the pin, of radius 4 at the height 70: sin(phi) = 2/70; 192 sides take at most 5e-4 units.
expect 0 "" simulate Rattleback.Examples.TracedLever --quiet --tolerance 1e-8 --variable-filter 'staff\.(phi|w)' --output-file o.csv
near "angle at rest" "$(last staff.phi)" 0.0285791 5e-6
speed=$(echo "-14 80 -6 80 -6 55 6 55 6 80 14 80 14 50 5 45 5 10 60 10 66 -30 58 -34 50 -4 -50 -4 -58 -34 -66 -30 -60 10 -5 10 -5 45 -14 50" | awk '{
    n = NF/2
    for (i = 1; i <= n; i++) {
        j = i % n + 1; x = $(2*i - 1); y = $(2*i); u = $(2*j - 1); v = $(2*j); c = x*v - u*y
        area += c/2; moment += c*(y + v)/6; inertia += c*(x*x + x*u + u*u + y*y + y*v + v*v)/12
    }
    print sqrt(2*9.81*moment*(2/70)/(1e-4*inertia))
}')
near "speed at the pin" "$(awk -F , 'NR > 1 && $3 > most { most = $3 } END { print most }' o.csv)" "$speed" 2e-3
finish
