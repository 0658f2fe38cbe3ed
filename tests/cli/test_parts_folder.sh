# A folder with a file for each convex part of one body: what `solid` says of it, a ball that falls into a cup of such
# parts in Modelica, the same as of Parts.Pieces, and messages.
. "$(dirname "$0")/expect.sh"

# last NAME: the last value of a variable in o.csv
last() {
    awk -F , -v name="\"$1\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i } END { print $column }' "${2:-o.csv}"
}
near() { awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !(a - b <= t && b - a <= t) }' || complain "$1: got $2, want $3"; }
says() { grep -q -- "$1" stdout.txt || complain "no '$1' in: $(cat stdout.txt)"; }

# box FILE X Y Z TO_X TO_Y TO_Z: a box as .obj, .stl or .ply
box() {
    awk -v file="$1" -v corners="$2 $3 $4 $5 $6 $7" 'BEGIN {
        split(corners, n, " ")
        for (i = 0; i < 8; i++) p[i] = n[i % 2 ? 4 : 1] " " n[int(i/2) % 2 ? 5 : 2] " " n[i >= 4 ? 6 : 3]
        m = split("0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5", t, " ")
        kind = substr(file, length(file) - 2)
        if (kind == "ply") print "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\nelement face 12\nproperty list uchar int vertex_indices\nend_header"
        if (kind == "stl") print "solid box"
        else for (i = 0; i < 8; i++) print (kind == "obj" ? "v " : "") p[i]
        for (i = 1; i <= m; i += 3) {
            if (kind == "obj") print "f " t[i] + 1 " " t[i + 1] + 1 " " t[i + 2] + 1
            if (kind == "ply") print "3 " t[i] " " t[i + 1] " " t[i + 2]
            if (kind == "stl") print "facet normal 0 0 0\nouter loop\nvertex " p[t[i]] "\nvertex " p[t[i + 1]] "\nvertex " p[t[i + 2]] "\nendloop\nendfacet"
        }
        if (kind == "stl") print "endsolid box"
    }' >"$1"
}

mkdir -p models/cup
box models/cup/floor.obj 0 0 0 300 300 20
box models/cup/wall1.stl 0 0 20 20 300 120
box models/cup/wall2.ply 280 0 20 300 300 120
box models/cup/wall3.obj 20 0 20 280 20 120
box models/cup/wall4.stl 20 280 20 280 300 120
echo "of millimetres" >models/cup/readme.txt

# Each part, and all together: 1.8 + 2*0.6 + 2*0.52 dm3, centre at (1.8*0.1 + 2.24*0.7)/4.04 dm.
expect 0 "" solid models/cup --scale 0.001 --density 500 --draw cup.obj
is "parts in their order" "$(grep '^[a-z0-9]*\.[a-z]*$' stdout.txt | tr '\n' ' ')" "floor.obj wall1.stl wall2.ply wall3.obj wall4.stl "
is "their checks" "$(grep -c 'encloses a body' stdout.txt)" 5
says '^models/cup: 5 convex parts in all$'
says '^box             {0, 0, 0} to {0.3, 0.3, 0.12} m$'
says '^volume          0.00404 m3$'
says '^mass            2.02 kg at 500 kg/m3$'
says '^centre of mass  {0.15, 0.15, 0.0432673267} m$'
"$program" solid cup.obj >stdout.txt 2>&1 # drawn where they are, not in a row
says '^box             {0, 0, 0} to {0.30000[0-9]*, 0.30000[0-9]*, 0.1[12][0-9]*} m$'
expect 0 "" solid models/cup/ --scale 0.001 --part wall2.ply --output-file wall.obj
is "one part" "$(grep -c '^volume' stdout.txt)" 1
expect 0 "" solid wall.obj
says '^volume          0.0006 m3$'
expect 2 "*there is no such solid; did you mean 'wall2.ply'*" solid models/cup --part wall2.pl
expect 2 "*there are 5; choose one with --part NAME, such as --part floor.obj*" solid models/cup --output-file all.stl
expect 2 "*--weld is for mesh files; 'models/cup' is none*" solid models/cup --weld 0.1
expect 2 "*--override is for Modelica models; 'models/cup' is none*" solid models/cup --override a=1

# What two parts share, 5*100*100 mm3, is told of the folder and of what has its mass from it, not of a shape that has none.
mkdir -p models/pair
box models/pair/a.obj 0 0 0 100 100 100
box models/pair/b.obj 95 0 0 195 100 100
expect 0 "models/pair: warning: the convex parts of 'models/pair' overlap by 5e-05 m3 of 0.002 m3, parts 1 and 2 first*" solid models/pair --scale 0.001
cat >models/Pair.mo <<'END'
model Pair
  import Rattleback.*;
  inner World world;
  Parts.Mesh part(fileName = "pair", scale = fill(0.001, 3));
  Parts.CollisionBody shape(shape = Shapes.Mesh(), fileName = "pair", scale = fill(0.001, 3));
  Parts.Body body(r_0(start = {1, 0, 0}));
equation
  connect(shape.frame_a, body.frame_a);
end Pair;
END
expect 0 "models/Pair.mo:4:14: warning: the convex parts of 'part' overlap by 5e-05 m3 of 0.002 m3*" simulate models/Pair.mo --quiet --stop-time 0.01
is "told once" "$(grep -c warning: stderr.txt)" 1

# A ball stays in the cup, at the height of the floor and its radius; the same with pieces that are made in the model.
cat >models/Cups.mo <<'END'
package Cups
  import Rattleback.*;
  partial model Drop
    inner World world(gravity = {0, 0, -9.81});
    Parts.Solid ball(shape = Shapes.Sphere(0.08), material = "DryWood", r = {0.1, 0.14, 0.2}, v = {0.6, 0.3, 0});
    annotation(experiment(StopTime = 3));
  end Drop;
  model Made
    extends Drop;
    function box
      input Real a[3], b[3];
      output Solids.TriangleMesh mesh = Solids.translate(Solids.Box(b - a), a);
    algorithm
    end box;
    Parts.Pieces cup(pieces = {box({0, 0, 0}, {0.3, 0.3, 0.02}), box({0, 0, 0.02}, {0.02, 0.3, 0.12}), box({0.28, 0, 0.02}, {0.3, 0.3, 0.12}),
      box({0.02, 0, 0.02}, {0.28, 0.02, 0.12}), box({0.02, 0.28, 0.02}, {0.28, 0.3, 0.12})}, material = "DryWood", fixed = true);
  end Made;
  model Read
    extends Drop;
    Parts.Mesh cup(fileName = "cup", scale = fill(0.001, 3), material = "DryWood", fixed = true);
  end Read;
  model Bought
    extends Read(cup(fileName = "modelica://Kitchen/Resources/cup"));
  end Bought;
  model Loose "The cup itself falls on a plate: its mass is that of its parts"
    inner World world(gravity = {0, 0, -9.81});
    Parts.Solid plate(shape = Shapes.Box(1, 1, 0.1), material = "DryWood", r = {0, 0, -0.05}, fixed = true);
    Parts.Mesh cup(fileName = "cup", scale = fill(0.001, 3), material = "DryWood", r = {-0.15, -0.15, 0.001});
    annotation(experiment(StopTime = 0.5));
  end Loose;
  model Wrong
    inner World world(gravity = {0, 0, -9.81});
    Parts.Workpiece cup(mesh = Solids.File("cup", 0.001));
  end Wrong;
end Cups;
END
expect 0 "" simulate models/Cups.mo Cups.Read --quiet --variable-filter 'ball\.r_0.*' --output-file o.csv
near "height of the ball" "$(last 'ball.r_0[3]')" 0.06 5e-6
expect 0 "" simulate models/Cups.mo Cups.Made --quiet --variable-filter 'ball\.r_0.*' --output-file made.csv
for k in 1 2 3; do near "place $k of the ball" "$(last "ball.r_0[$k]")" "$(last "ball.r_0[$k]" made.csv)" 1e-6; done
expect 0 "" simulate models/Cups.mo Cups.Loose --quiet --variable-filter 'cup\.(r_0|v_0).*' --output-file o.csv
near "height of the cup" "$(last 'cup.r_0[3]')" 0 2e-6
mkdir -p lib/Kitchen/Resources && mv models/cup lib/Kitchen/Resources/
echo 'package Kitchen end Kitchen;' >lib/Kitchen/package.mo
expect 0 "" simulate models/Cups.mo Cups.Bought --library lib --quiet --variable-filter 'ball\.r_0.*' --output-file o.csv
near "from a library" "$(last 'ball.r_0[3]')" 0.06 5e-6
expect 6 "cup: error: not a mesh file *, and there is no folder of this name either*models/Cups.mo:*: note: 'cup' takes its shape from this file*" simulate models/Cups.mo Cups.Read --output-file o.csv
mv lib/Kitchen/Resources/cup models/

expect 6 "*cup: error: this is a folder, and one file is needed here; a Parts.Mesh takes all parts*" simulate models/Cups.mo Cups.Wrong --output-file o.csv
printf 'v 0 0 0\nf 1 2 3\n' >models/cup/floor2.obj
expect 6 "*models/cup/floor2.obj:2:*models/Cups.mo:*: note: 'cup' takes its shape from this file*" simulate models/Cups.mo Cups.Read --output-file o.csv
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.2 0.2 0.2\nf 1 3 2\nf 1 2 4\nf 3 1 4\nf 2 3 5\nf 3 4 5\nf 4 2 5\n' >models/cup/floor2.obj # 0.1 instead of 1/6
expect 1 "*floor2.obj: error: the part 'floor2.obj' is not convex*lacks 40 % of the volume of its hull*" solid models/cup
rm models/cup/*.*
expect 6 "*cup: error: there is no file .stl, .obj or .ply in this folder*'cup' takes its shape from this file*" simulate models/Cups.mo Cups.Read --output-file o.csv
finish
