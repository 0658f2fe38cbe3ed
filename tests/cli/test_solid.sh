#!/bin/sh
# The command `solid`: mass properties of a pyramid, of an extruded drawing and of the solids of a class; pictures,
# messages, exit codes.
program=$1
source=$2
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "$1" >&2
    exit 1
}

cp "$source/tests/fuzz/corpus/ply/ascii" "$folder/pyramid.ply"
cp "$source/tests/fuzz/corpus/dxf/outline" "$folder/plate.dxf"
cp "$source/tests/fuzz/corpus/dxf/faces" "$folder/faces.dxf"

"$program" solid "$folder/pyramid.ply" --density 3000 --output-file "$folder/out.stl" >"$folder/text" || fail "pyramid"
grep -q "encloses a body" "$folder/text" || fail "pyramid is a body"
grep -q "mass            1000 kg at 3000 kg/m3" "$folder/text" || fail "mass: $(cat "$folder/text")"
grep -q "centre of mass  {0.375, 0.375, 0.25} m" "$folder/text" || fail "centre: $(cat "$folder/text")"
"$program" solid "$folder/out.stl" >"$folder/text" || fail "written file"
grep -q "volume          0.333333333 m3" "$folder/text" || fail "volume of the written file"

"$program" solid "$folder/faces.dxf" >"$folder/text" || fail "faces in millimetres"
grep -q "to {0.001, 0.001, 0.001} m" "$folder/text" || fail "unit of the drawing: $(cat "$folder/text")"

"$program" solid "$folder/plate.dxf" 2>"$folder/text" && fail "outlines without a height"
grep -q "give --extrude HEIGHT" "$folder/text" || fail "message for outlines"
"$program" solid "$folder/plate.dxf" --extrude 2 >"$folder/text" || fail "extruded"
grep -q "encloses a body" "$folder/text" || fail "extruded plate is a body"

sed 's/^4$/99/' "$folder/faces.dxf" >"$folder/unit.dxf" # line 8: the unit is a code that nobody knows
"$program" solid "$folder/unit.dxf" >"$folder/text" 2>&1 || fail "a drawing without a known unit"
grep -q "unit.dxf:8:.*the unit of the drawing, .INSUNITS 99, is not known; its numbers are taken for units of 1 m: give the scale" "$folder/text" || fail "unknown unit: $(cat "$folder/text")"
"$program" solid "$folder/unit.dxf" --scale 0.01 2>"$folder/text" >"$folder/out" || fail "a drawing with a scale"
[ ! -s "$folder/text" ] || fail "a scale was given: $(cat "$folder/text")"
"$program" solid "$folder/faces.dxf" --scale 1 >"$folder/out" 2>"$folder/text" || fail "a drawing in another unit"
grep -q "faces.dxf:8:.*the unit of the drawing is 0.001 m, but its numbers are taken for units of 1 m: give it the scale 0.001" "$folder/text" || fail "unit of a drawing: $(cat "$folder/text")"
"$program" solid "$folder/faces.dxf" --scale 0.001 >"$folder/out" 2>"$folder/text" || fail "a drawing in its unit"
[ ! -s "$folder/text" ] || fail "the scale is the unit: $(cat "$folder/text")"
cat >"$folder/Drawing.mo" <<END
model Drawing
  parameter Rattleback.Solids.TriangleMesh said = Rattleback.Solids.File("faces.dxf");
  parameter Rattleback.Solids.TriangleMesh metres = Rattleback.Solids.File("faces.dxf", 1);
  parameter Rattleback.Solids.TriangleMesh right = Rattleback.Solids.File("faces.dxf", 0.001);
end Drawing;
END
(cd "$folder" && "$program" solid Drawing.mo) >"$folder/out" 2>"$folder/text" || fail "drawings: $(cat "$folder/text")"
grep -q "faces.dxf:8:.*the unit of the drawing is 0.001 m, but its numbers are taken for units of 1 m: give it the scale 0.001" "$folder/text" || fail "unit of a drawing: $(cat "$folder/text")"
grep -q "Drawing.mo:3:.*note: the solid of 'metres' is made of this file" "$folder/text" || fail "drawing of a solid: $(cat "$folder/text")"
[ "$(grep -c warning: "$folder/text")" = 1 ] || fail "one of three drawings: $(cat "$folder/text")"
[ "$(grep -c "to {0.001, 0.001, 0.001} m" "$folder/out")" = 2 ] || fail "units of drawings: $(cat "$folder/out")"
# One damaged number, beside which all others vanish: in each format with its place.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1e30\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >"$folder/far.obj"
printf 'solid\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1e30 0\n' >"$folder/far.stl"
printf 'ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\nproperty double y\nproperty double z\nend_header\n0 -1e30 0\n' >"$folder/far.ply"
printf '0\nSECTION\n2\nENTITIES\n0\n3DFACE\n10\n1e30\n' >"$folder/far.dxf"
for far in far.obj:4:7 far.stl:5:10 far.ply far.dxf:8:1; do
    "$program" solid "$folder/${far%%:*}" >"$folder/text" 2>&1 && fail "$far"
    grep -q "$far: error: .*must be finite, and at most 1e+15 in size" "$folder/text" || fail "$far: $(cat "$folder/text")"
done

printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$folder/open.obj"
"$program" solid "$folder/open.obj" >"$folder/text" 2>&1 && fail "an open surface"
grep -q "the first such edge lies near" "$folder/text" || fail "place of the hole: $(cat "$folder/text")"
"$program" solid "$folder/pyramid.ply" --scale -1 2>"$folder/text"
[ $? -eq 2 ] || fail "exit code of a bad option"
"$program" solid "$folder/pyramid.ply" "$folder/plate.dxf" 2>"$folder/text" && fail "two files"
grep -q "plate.dxf' is one file too many" "$folder/text" || fail "two files: $(cat "$folder/text")"
"$program" solid "$folder/pyramid.ply" --scale 1e300 2>"$folder/text" >"$folder/out" && fail "a huge scale"
grep -q "with the scale 1e+300 the body extends over" "$folder/text" || fail "a huge scale: $(cat "$folder/text")"
"$program" solid "$folder/none.step" 2>"$folder/text" && fail "another format"
grep -q "must end in .stl, .obj, .ply or .dxf" "$folder/text" || fail "message for another format"
printf 'ISO-10303-21;\nHEADER;\n' >"$folder/step.stl"
"$program" solid "$folder/step.stl" 2>"$folder/text"
[ $? -eq 6 ] || fail "exit code of a STEP file"
grep -q "this is a STEP file" "$folder/text" || fail "message for a STEP file: $(cat "$folder/text")"
printf 'solid x\nendsolid x\n' >"$folder/is_stl.obj"
printf 'ply\nformat ascii 1.0\n' >"$folder/is_ply.stl"
printf '0\nSECTION\n' >"$folder/is_dxf.ply"
printf 'v 0 0 0\n' >"$folder/is_obj.stl"
for kind in stl.obj ply.stl dxf.ply obj.stl; do
    "$program" solid "$folder/is_$kind" 2>"$folder/text" && fail "is_$kind"
    grep -qi "this is an* ${kind%%.*} file, whatever its name says; let its name end in .${kind%%.*}" "$folder/text" || fail "is_$kind: $(cat "$folder/text")"
done
truncate -s 500000084 "$folder/large.stl" # ten million triangles would be so long; its header says that there are none
"$program" solid "$folder/large.stl" >"$folder/text" 2>&1 && fail "a file of zeros"
grep -q "up to 10 million triangles; this will take about 20 s" "$folder/text" || fail "how long: $(cat "$folder/text")"
printf 'v 0 0 0\nv 0 1 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n' >"$folder/inverted.obj"
"$program" solid "$folder/inverted.obj" >"$folder/text" || fail "inside out: $(cat "$folder/text")"
grep -q "4 triangles turned" "$folder/text" || fail "turned around: $(cat "$folder/text")"
# A body in another one: by triangles refused for what it is, of a file taken for a cavity and told. 1/6 - 0.001/6 m3.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nv .2 .2 .2\nv .3 .2 .2\nv .2 .3 .2\nv .2 .2 .3\nf 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n' >"$folder/nested.obj"
"$program" solid "$folder/nested.obj" >"$folder/text" || fail "nested: $(cat "$folder/text")"
grep -q "taken for cavities, as they lie within others, though they faced the same way: 1" "$folder/text" || fail "cavity: $(cat "$folder/text")"
grep -q "volume          0.1665 m3" "$folder/text" || fail "volume around a cavity: $(cat "$folder/text")"
cat >"$folder/Nested.mo" <<END
model Nested
  import Rattleback.*;
  inner World world;
  parameter Real v[4, 3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  parameter Integer t[4, 3] = {{1, 3, 2}, {1, 2, 4}, {1, 4, 3}, {2, 3, 4}};
  parameter Solids.TriangleMesh file = Solids.File("nested.obj");
  parameter Solids.TriangleMesh given = Solids.TriangleMesh(cat(1, v, 0.1*v + fill(0.2, 4, 3)), cat(1, t, t + fill(4, 4, 3)));
end Nested;
END
(cd "$folder" && "$program" solid Nested.mo) >"$folder/text" 2>&1 && fail "a body in another one"
grep -q "warning: 'nested.obj' has bodies within others that face the same way (1)" "$folder/text" || fail "file of a body in another one: $(cat "$folder/text")"
grep -q "the solid of 'given' has a body within another one, which would count twice, near {0.2" "$folder/text" || fail "triangles of a body in another one: $(cat "$folder/text")"
cat >"$folder/Deep.mo" <<END
model Deep
  import Rattleback.*;
  inner World world(g = 9.81);
  Parts.Workpiece a(mesh = Solids.Box({1, 1, 1}), fixed = true);
  Parts.Workpiece b(mesh = Solids.Box({1, 1, 1}), r = {0.5, 0.5, 0.5});
end Deep;
END
(cd "$folder" && "$program" solid Deep.mo --part b) >"$folder/text" 2>&1 || fail "a part by its name: $(cat "$folder/text")"
[ "$(head -n 1 "$folder/text")" = b.mesh ] || fail "the part b: $(cat "$folder/text")"
(cd "$folder" && "$program" solid Deep.mo --part gearwheel) >"$folder/text" 2>&1 && fail "a part that is none"
grep -q "there is no such solid; there are a.mesh, b.mesh " "$folder/text" || fail "parts that are there: $(cat "$folder/text")"
(cd "$folder" && "$program" simulate Deep.mo) >"$folder/text" 2>&1
[ $? -eq 5 ] || fail "exit code of a deep overlap"
grep -q "the meshes 'a' and 'b' share 0.125 m3 at the start" "$folder/text" || fail "deep overlap: $(cat "$folder/text")"
# Which contact a pair gets: a bedding, unless a part has no thickness; chosen, that is refused.
cat >"$folder/Sheet.mo" <<END
model Chosen
  import Rattleback.*;
  extends Sheet(thickness = 1e-8);
  Materials.SurfacePair pair(a = "sheet", b = "brick");
end Chosen;
model Sheet
  import Rattleback.*;
  parameter Real thickness = 0.1;
  inner World world(gravity = {0, 0, -9.81});
  Parts.Workpiece sheet(mesh = Solids.Box({1, 1, thickness}), r = {0, 0, -thickness}, fixed = true);
  Parts.Workpiece brick(mesh = Solids.Box({0.1, 0.1, 0.1}), r = {0.4, 0.4, 0.001});
end Sheet;
END
starts() { (cd "$folder" && "$program" simulate Sheet.mo --stop-time 0.015 --log EVENTS --output-file o.csv "$@") 2>&1 | grep "starts at"; }
starts | grep -q "(depth at each place)" || fail "contact of two meshes"
starts --override thickness=1e-8 | grep -q "(volume over the root of the area)" || fail "contact without thickness"
(cd "$folder" && "$program" simulate Sheet.mo Chosen) >"$folder/text" 2>&1
[ $? -eq 1 ] || fail "exit code of a bedding without thickness"
grep -q "no layer fits under the surface of 'sheet' at (" "$folder/text" || fail "bedding without thickness: $(cat "$folder/text")"
# The solids of a class, also of one that no run accepts: known volumes, with and without an override.
cat >"$folder/Parts.mo" <<END
model Ball
  inner Rattleback.World world;
  Rattleback.Parts.Solid ball(shape = Rattleback.Shapes.Sphere(0.1));
end Ball;
model Flat
  parameter Real h = 0;
  parameter Rattleback.Solids.TriangleMesh sheet = Rattleback.Solids.Box({1, 1, h});
end Flat;
model Shelf
  import Rattleback.*;
  inner World world(g = 9.81);
  parameter Real depth = 0.5;
  parameter Solids.Polygon corner = Solids.Polygon({{0, 0}, {1, 0}, {0, 1}});
  parameter Solids.TriangleMesh wedge = Solids.extrude(corner, 2);
  Parts.Workpiece tray(mesh = Solids.Box({2, 2, 1}) - Solids.translate(Solids.Box({1, 1, 2}), {0.5, 0.5, 1 - depth}), fixed = true);
  Parts.Workpiece inside(mesh = Solids.Box({1, 1, 1}));
  Parts.Pieces pair(pieces = {Solids.Box({1, 1, 1}), Solids.translate(Solids.Box({1, 1, 1}), {1, 0, 0})});
end Shelf;
END
solid() { (cd "$folder" && "$program" solid "$@") >"$folder/text" 2>&1; }
says() { grep -q -- "$1" "$folder/text" || fail "no '$1' in: $(cat "$folder/text")"; }
volumes() { grep '^volume' "$folder/text" | tr -s ' ' | cut -d ' ' -f 2 | tr '\n' ' '; }
solid Parts.mo --draw shelf.html --density 2 || fail "solids of a class: $(cat "$folder/text")"
[ "$(volumes)" = "1 3.5 1 1 1 " ] || fail "volumes of a class: $(cat "$folder/text")"
[ "$(grep -c 'encloses a body' "$folder/text")" -eq 5 ] || fail "checks of a class"
says '^tray.mesh$' && says 'mass            7 kg at 2 kg/m3' && says 'centre of mass  {0.333333333, 0.333333333, 1} m'
says '^pair.pieces\[2\]$'
grep -q '<html' "$folder/shelf.html" || fail "page of solids"
[ ! -e "$folder/shelf.html.rbj" ] || fail "a journal is left"
solid Parts.mo --override depth=0.25 --part tray.mesh --output-file tray.stl --draw tray.obj || fail "one solid"
[ "$(volumes)" = "3.75 " ] || fail "volume after an override: $(cat "$folder/text")"
for file in tray.stl tray.obj; do # what was written, and what was drawn, is the tray
    solid "$file" --draw again.glb || fail "$file: $(cat "$folder/text")"
    [ "$(volumes)" = "3.75 " ] || fail "volume of $file: $(cat "$folder/text")"
    [ "$(head -c 4 "$folder/again.glb")" = glTF ] || fail "glb of $file"
done
# Solids that meet in an edge are what they were when they are read again: two boxes, and a plate with two holes.
cat >"$folder/Meet.mo" <<END
model Meet
  import Rattleback.Solids.*;
  parameter TriangleMesh boxes = Box({1, 1, 1}) + translate(Box({1, 1, 1}), {1, 1, 0});
  parameter TriangleMesh plate = Box({3, 3, 1}) - translate(Box({1, 1, 2}), {0.5, 0.5, -0.5}) - translate(Box({1, 1, 2}), {1.5, 1.5, -0.5});
  parameter TriangleMesh again = if withFile then File("boxes.obj") else boxes;
  parameter Boolean withFile = false;
end Meet;
END
for meet in boxes:2:12 plate:7:34; do
    part=${meet%%:*} numbers=${meet#*:}
    for ending in obj ply stl; do
        solid Meet.mo --part $part --output-file $part.$ending || fail "$part: $(cat "$folder/text")"
        solid $part.$ending || fail "$part.$ending: $(cat "$folder/text")"
        says "volume          ${numbers%:*} m3" && says "area            ${numbers#*:} m2"
    done
done
solid Meet.mo --override withFile=true --part again || fail "boxes of a file: $(cat "$folder/text")"
says "16 vertices, 24 triangles, 36 edges, 2 components"
solid Parts.mo --draw row.obj && solid row.obj || fail "a row of solids: $(cat "$folder/text")"
[ "$(volumes)" = "7.5 " ] || fail "solids in a row overlap: $(cat "$folder/text")"
solid Parts.mo Ball && fail "a class without solids"
says "'Ball' has no solids"
solid Parts.mo Flat && fail "a solid without volume"
says "the solid of 'sheet'"
solid Rattleback.Examples.AlSolids && fail "an unknown class"
says "did you mean 'AllSolids'"
solid Parts.mo --part trey.mesh && fail "an unknown solid"
says "no such solid; did you mean 'tray.mesh'"
solid Parts.mo --output-file all.stl && fail "several solids in one file"
says "there are 5; choose one with --part NAME"
solid Parts.mo --draw shelf.bmp && fail "a picture of another format"
says "that end in .html, .png, .glb"
solid Parts.mo --scale 2 && fail "scale of a class"
says "scale is for mesh files"
solid tray.stl --part a && fail "part of a file"
says "part is for Modelica models"
echo broken >"$folder/Broken.mo"
solid Broken.mo && fail "a broken file"
says "Broken.mo:1:"
exit 0
