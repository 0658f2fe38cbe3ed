# Clumps of spheres as particles of a Modelica model: counted as one each, drawn and written sphere by sphere; resumed; from files; refused.
. "$(dirname "$0")/expect.sh"

cat >Stones.mo <<'END'
model Stones "Stones of three spheres rain on a plate that swings; some are swept away"
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  parameter Real long(unit = "m") = 0.004;
  Parts.Solid ground(shape = Shapes.Box(0.4, 0.4, 0.02), r = {0, 0, -0.01}, fixed = true);
  Parts.Solid plate(shape = Shapes.Box(0.1, 0.1, 0.01));
  Joints.Revolute hinge(n = {0, 1, 0}, canCollide = true);
  Parts.Fixed bearing(r = {0, 0, 0.03});
  Particles.Rain stones(n = 20, rate = 1000, low = {-0.04, -0.04, 0.045}, high = {0.04, 0.04, 0.09}, v = {0, 0, -0.5},
    clump = Particles.Clump(spheres = [-long, 0, 0, 0.005; long, 0, 0, 0.005; 0, 0.004, 0, 0.004]));
  Particles.BoxSensor box(low = {-1, -1, -1}, high = {1, 1, 1});
  Particles.Sink sink(low = {0.02, -1, -1}, high = {1, 1, 0.06});
equation
  connect(bearing.frame_b, hinge.frame_a);
  connect(hinge.frame_b, plate.frame_a);
  annotation(experiment(StopTime = 0.08, Interval = 0.01));
end Stones;
END
last() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); if ($i == name) k = i } } END { print $k }' "$1"; }
expect 0 "" simulate Stones.mo --quiet --particle-files out --checkpoint-interval 0.03 --output-file stones.csv
there=$(last stones.csv grains.count) gone=$(last stones.csv sink.count)
is "stones that came" $((there + gone)) 20
is "stones in the box" "$(last stones.csv box.count)" "$there"
[ "$gone" -gt 0 ] || complain "none was swept away"
# Three spheres each; each says which stone it belongs to.
is "spheres in a frame" "$(grep -ac "NumberOfPoints=\"$((3 * there))\"" out/grains_000008.vtp)" 1
grep -aq 'Name="particle"' out/grains_000008.vtp || complain "spheres do not say whose they are"
# All have the same mass: what a pair of overlapping spheres and a third one fill is between the largest and the sum.
last stones.csv grains.mass | awk -v n="$there" '{ m = $1/n/2500/4.18879e-9; if (m < 125 || m > 314) { print m; exit 1 } }' || complain "mass"
expect 0 "" simulate Stones.mo --quiet --threads 3 --checkpoint-interval 0.03 --output-file threads.csv
cmp -s stones.csv threads.csv || complain "three threads give other results"
cp stones.csv whole.csv
expect 0 "" simulate Stones.mo --quiet --checkpoint-interval 0.03 --resume stones.rbc --output-file stones.csv
is "resumed" "$(tail -1 stones.csv)" "$(tail -1 whole.csv)"
# A page draws every sphere.
expect 0 "*" simulate Stones.mo --quiet --report stones.html --output-file stones.rbj
[ -s stones.html ] || complain "no page"

sed 's/Stones/Apart/' Stones.mo >Apart.mo
expect 1 "*Apart.mo:9:*the spheres of the clump of 'stones' do not hang together: sphere 2 does not touch those that are joined to sphere 1; move it nearer, or enlarge it*" simulate Apart.mo --quiet --override long=0.02

# Places from a file: centre of mass, size, quaternion, velocity.
cat >FromFile.mo <<'END'
model FromFile
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  parameter String file = "stones.txt";
  Particles.File stones(fileName = file, clump = Particles.Clump(spheres = [0, 0, 0, 0.005; 0.006, 0, 0, 0.005], m = 0.002, r_CM = {0.003, 0, 0}, I = diagonal({2e-8, 4e-8, 4e-8})));
  annotation(experiment(StopTime = 0.001));
end FromFile;
END
printf '0,0,0,1,1,0,0,0,1,2,2\n0.1,0,0,2,0.6,0.8,0,0,0,0,0\n' >stones.txt
mv stones.txt stones.data.csv
expect 0 "" simulate FromFile.mo --quiet --override file=stones.data.csv --output-file file.csv
# 2 g and 16 g; m v²/2 = 0.009 J of the first at the start.
last file.csv grains.mass | awk '{ exit !($1 > 0.01799999 && $1 < 0.01800001) }' || complain "mass from a file"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); if ($i == "grains.kinetic") k = i } } NR == 2 { exit !($k > 0.00899999 && $k < 0.00900001) }' file.csv || complain "energy from a file"
printf '0,0,0,1,2,0,0,0\n' >long.csv
expect 1 "*FromFile.mo:5:*grain 1 of 'stones' has a quaternion of length 2; it must be 1*" simulate FromFile.mo --quiet --override file=long.csv
sed 's/, clump = .*/);/; s/FromFile/Spheres/' FromFile.mo >Spheres.mo
expect 1 "*has 8 columns, with a quaternion for each particle; spheres have none*" simulate Spheres.mo --quiet --override file=long.csv
printf '0,0,0\n' >short.csv
expect 1 "*has 3 columns; 4 are wanted*" simulate FromFile.mo --quiet --override file=short.csv

# Polyhedra: dice and crystals among beads.
cat >Dice.mo <<'END'
model Dice
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  parameter Real spread = 0, w(unit = "J/m2") = 0;
  Parts.Solid ground(shape = Shapes.Box(0.3, 0.3, 0.02), r = {0, 0, -0.01}, fixed = true);
  Particles.Grid dice(n = 8, low = {-0.02, -0.02, 0.001}, high = {0.02, 0.02, 0.06}, polyhedron = Particles.Polyhedron(box = {0.01, 0.01, 0.01}), v = {0, 0, -0.6}, spread = spread, w = w);
  Particles.Rain crystals(n = 5, rate = 1000, low = {-0.02, -0.02, 0.07}, high = {0.02, 0.02, 0.1}, v = {0, 0, -2},
    polyhedron = Particles.Polyhedron(points = [0.008, 0, 0; -0.004, 0, 0; 0, 0.005, 0; 0, -0.005, 0; 0, 0, 0.005; 0.001, 0, -0.005]));
  Particles.Grid beads(n = 4, radius = 0.004, low = {-0.02, -0.02, 0.062}, high = {0.02, 0.02, 0.07});
  annotation(experiment(StopTime = 0.03, Interval = 0.005));
end Dice;
END
expect 0 "" simulate Dice.mo --quiet --particle-files dice --checkpoint-interval 0.01 --output-file dice.csv
is "dice, crystals and beads" "$(last dice.csv grains.count)" 17
grep -aq 'Name="quaternion" NumberOfComponents="4"' dice/grains_000006.vtp || complain "dice do not say how they are turned"
# What is missing in the account is small against what was there: m v²/2 of the dice alone is 3.6 mJ.
last dice.csv grains.balance | awk '{ if ($1 > 2e-6 || $1 < -2e-6) { print $1; exit 1 } }' || complain "balance of dice"
expect 0 "" simulate Dice.mo --quiet --threads 3 --checkpoint-interval 0.01 --output-file threads.csv
cmp -s dice.csv threads.csv || complain "three threads give other dice"
cp dice.csv whole.csv
expect 0 "" simulate Dice.mo --quiet --checkpoint-interval 0.01 --resume dice.rbc --output-file dice.csv
is "dice resumed" "$(tail -1 dice.csv)" "$(tail -1 whole.csv)"
expect 1 "*Dice.mo:6:*the polyhedra 'dice' have sizes of their own; all must be as large as typed (use a filling for each size)*" simulate Dice.mo --quiet --override spread=0.1
expect 1 "*Dice.mo:6:*the polyhedra 'dice' have a work of adhesion; they cannot stick: use spheres or clumps*" simulate Dice.mo --quiet --override w=0.1
# Friction against twisting is typed, and takes energy.
sed 's/model Dice/model Spun/; s/end Dice/end Spun/; s/Particles.Grid beads(/parameter Real mu_t = 0.1;\n  Particles.Grid beads(mu_t = mu_t, v = {0, 0, -1}, /' Dice.mo >Spun.mo
expect 0 "" simulate Spun.mo --quiet --output-file spun.csv
last spun.csv grains.resisted | awk '{ exit !($1 > 0) }' || complain "twisting takes nothing"
expect 1 "*Spun.mo:10:*'beads' has a friction against twisting of -1; it must be positive or zero*" simulate Spun.mo --quiet --override mu_t=-1
# On a plate of triangles from a file, with the top divided twice as finely along x as along y: what the box does, but for its
# normal: on a box that along which most is pressed, on triangles theirs (8e-6 of the height at the end).
awk 'BEGIN {
    for (k = 0; k < 12; k++) print "v", -0.15 + 0.15*(k % 3), k % 6 < 3 ? -0.15 : 0.15, k < 6 ? 0 : -0.02
    n = split("1 2 5;1 5 4;2 3 6;2 6 5;7 11 8;7 10 11;8 12 9;8 11 12;1 7 8;1 8 2;2 8 9;2 9 3;4 5 11;4 11 10;5 6 12;5 12 11;1 4 10;1 10 7;3 9 12;3 12 6", f, ";")
    for (k = 1; k <= n; k++) print "f", f[k]
}' >plate.obj
sed 's/model Dice/model Plate/; s/end Dice/end Plate/; s/Parts.Solid ground.*/Parts.Mesh ground(fileName = "plate.obj", fixed = true);/' Dice.mo >Plate.mo
expect 0 "" simulate Plate.mo --quiet --output-file plate.csv
for name in height kinetic damped rubbed; do
    echo "$(last plate.csv grains.$name) $(last whole.csv grains.$name)" |
        awk '{ d = $1/$2 - 1; if (d > 2e-5 || d < -2e-5) { print; exit 1 } }' || complain "dice on triangles: $name"
done

cat >Engine.mo <<'END'
model Engine
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  Parts.Solid ground(shape = Shapes.Box(0.4, 0.4, 0.02), r = {0, 0, -0.01}, fixed = true);
  Particles.Grid stones(n = 3, high = {0.1, 0.1, 0.1}, clump = Particles.Clump(spheres = [0, 0, 0, 0.005; 0.006, 0, 0, 0.005]));
  annotation(experiment(StopTime = 0.01));
end Engine;
END
expect 1 "*another engine cannot compute this model: particles are polyhedra or clumps of spheres; use spheres, or the own engine*" simulate Engine.mo --quiet --engine liggghts
finish
