# Spheres in files for other programs: as triangles at one time, as nodes that move; where they cannot be, it is said.
. "$(dirname "$0")/expect.sh"

cat >Few.mo <<'END'
model Few "Grains that fall freely beside a plate"
  import Rattleback.*;
  inner World world(g = 10, n = {0, 0, -1});
  Parts.Solid plate(shape = Shapes.Box(0.1, 0.1, 0.01), r = {0, 0, -1}, fixed = true);
  Particles.Grid a(n = 8, radius = 0.008, low = {-0.02, -0.02, 0}, high = {0.02, 0.02, 0.04});
  annotation(experiment(StopTime = 0.1, Interval = 0.01));
end Few;
END
cat >Only.mo <<'END'
model Only "Nothing but grains, and many"
  import Rattleback.*;
  inner World world(g = 10, n = {0, 0, -1});
  parameter Integer n = 8;
  Particles.Grid a(n = n, radius = 0.008, low = {0, 0, 0}, high = {0.5, 0.5, 0.5});
  annotation(experiment(StopTime = 0.002, Interval = 0.001));
end Only;
END
expect 0 "" simulate Few.mo --quiet --output-file few.rbj
expect 0 "few.json: warning: 8 spheres of 'grains' are not in the file: .glb has them, .obj, .ply and .stl have them at one time*" \
    convert few.rbj few.json
# In glTF each has a node that moves: eight with the mesh of one, and the plate.
expect 0 "" convert few.rbj few.glb
json() { tail -c +21 "$1" | head -c "$(od -An -tu4 -j12 -N4 "$1" | tr -d ' ')"; }
is "nodes of grains" "$(json few.glb | grep -o '"name":"grains [1-8]","mesh":1' | wc -l)" 8
is "meshes" "$(json few.glb | grep -o '"primitives"' | wc -l)" 2
is "channels" "$(json few.glb | grep -o '"path":"translation"' | wc -l)" 8
expect 0 "" convert few.rbj start.obj --time 0
expect 0 "" convert few.rbj end.obj
expect 0 "" convert few.rbj few.ply
expect 0 "" convert few.rbj few.stl
# How high the grains reach, in 0.1 mm: they fall by g t²/2 = 50 mm; a mesh of a sphere has its poles.
top() { awk '$1 == "o" { on = $2 == "grains" } on && $1 == "v" && ($4 > z || !seen) { z = $4; seen = 1 } END { printf "%.0f", 1e4 * z }' "$1"; }
is "fallen [0.1 mm]" $(($(top start.obj) - $(top end.obj))) 500
# Each sphere has at least the surface that an octahedron has, and they are closed: two vertices less faces of half.
awk '$1 == "o" { on = $2 == "grains" } on && $1 == "v" { v++ } on && $1 == "f" { f++ } END { print v - f / 2 }' end.obj >euler.txt
is "Euler's number of eight spheres" "$(cat euler.txt)" 16

expect 0 "" simulate Only.mo --quiet --output-file only.rbj
expect 2 "only.json: error: there is nothing but spheres, 8 of 'grains', which this format has not: .glb has them*" \
    convert only.rbj only.json
[ ! -e only.json ] || complain "there is a file all the same"
expect 0 "" convert only.rbj only.glb
# Many stand at one time; too many are refused.
expect 0 "" simulate Only.mo --quiet --override n=2001 --output-file some.rbj
expect 0 "some.glb: warning: 2001 spheres stand where they are at t = 0.001 s: more than 2000 do not move in this format; --time *" \
    convert some.rbj some.glb --time 0.001
is "spheres that stand" "$(json some.glb | grep -c '"name":"grains ')" 2001
is "animations" "$(json some.glb | grep -c animations)" 0
expect 0 "" simulate Only.mo --quiet --override n=10001 --output-file many.rbj
expect 2 "many.glb: error: there is nothing but spheres, 10001 of them: more than the 10000 that this format can be given; *.pvd*" \
    convert many.rbj many.glb
[ ! -e many.glb ] || complain "there is a file all the same"
expect 2 "many.rbj: error: 10001 spheres are too many for a file of triangles, 10000 at most; *.pvd*" \
    convert many.rbj many.stl
finish
