#!/bin/sh
# The command `solid`: mass properties of a pyramid and of an extruded drawing, messages, exit codes.
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

printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$folder/open.obj"
"$program" solid "$folder/open.obj" >"$folder/text" 2>&1 && fail "an open surface"
grep -q "the first such edge lies near" "$folder/text" || fail "place of the hole: $(cat "$folder/text")"
"$program" solid "$folder/pyramid.ply" --scale -1 2>"$folder/text"
[ $? -eq 2 ] || fail "exit code of a bad option"
"$program" solid "$folder/none.step" 2>"$folder/text" && fail "another format"
grep -q "must end in .stl, .obj, .ply or .dxf" "$folder/text" || fail "message for another format"
printf 'ISO-10303-21;\nHEADER;\n' >"$folder/step.stl"
"$program" solid "$folder/step.stl" 2>"$folder/text"
[ $? -eq 6 ] || fail "exit code of a STEP file"
grep -q "this is a STEP file" "$folder/text" || fail "message for a STEP file: $(cat "$folder/text")"
truncate -s 500000084 "$folder/large.stl" # ten million triangles would be so long; its header says that there are none
"$program" solid "$folder/large.stl" >"$folder/text" 2>&1 && fail "a file of zeros"
grep -q "up to 10 million triangles; this will take about 20 s" "$folder/text" || fail "how long: $(cat "$folder/text")"
printf 'v 0 0 0\nv 0 1 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n' >"$folder/inverted.obj"
"$program" solid "$folder/inverted.obj" >"$folder/text" || fail "inside out: $(cat "$folder/text")"
grep -q "4 triangles turned" "$folder/text" || fail "turned around: $(cat "$folder/text")"
cat >"$folder/Deep.mo" <<END
model Deep
  import Rattleback.*;
  inner World world(g = 9.81);
  Parts.Workpiece a(mesh = Solids.Box({1, 1, 1}), fixed = true);
  Parts.Workpiece b(mesh = Solids.Box({1, 1, 1}), r = {0.5, 0.5, 0.5});
end Deep;
END
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
exit 0
