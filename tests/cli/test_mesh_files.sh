# label: fast
# Where the file of a mesh is looked for: beside the model, in a library, as it is named; and what is said of a broken one.
. "$(dirname "$0")/expect.sh"

mkdir -p models lib/Toys/Resources
cat >models/Part.mo <<'MODEL'
model Part
  inner Rattleback.World world(g = 9.81);
  Rattleback.Parts.Mesh part(fileName = "tetra.obj");
end Part;
MODEL
cat >lib/Toys/package.mo <<'MODEL'
package Toys
  model Part
    inner Rattleback.World world(g = 9.81);
    Rattleback.Parts.Mesh part(fileName = "modelica://Toys/Resources/tetra.obj");
  end Part;
end Toys;
MODEL
cat >models/tetra.obj <<'OBJ'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 2 3 4
f 3 1 4
OBJ
cp models/tetra.obj lib/Toys/Resources/
expect 0 "" simulate models/Part.mo --output-file a.csv --quiet
expect 0 "" simulate Toys.Part --library lib --output-file b.csv --quiet
is "the same motion" "$(tail -n 1 a.csv)" "$(tail -n 1 b.csv)"
mv models/tetra.obj .
expect 0 "" simulate models/Part.mo --output-file c.csv --quiet
printf 'v 0 0 0\nf 1 2 3\n' >tetra.obj
expect 6 "*tetra.obj:2:*models/Part.mo:3:25: note: 'part' takes its shape from this file*" simulate models/Part.mo --output-file d.csv
rm tetra.obj
expect 6 "*tetra.obj: error: cannot open*models/Part.mo:3:25: note: 'part' takes its shape from this file*" simulate models/Part.mo --output-file d.csv
finish
