# Sensors and sinks of particles: results, and signals that equations use.
. "$(dirname "$0")/expect.sh"

cat >Dosing.mo <<'END'
model Dosing "Beads rain on a scale until it has enough; what misses it is taken away"
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  Parts.Solid ground(shape = Shapes.Box(0.2, 0.2, 0.02), r = {0, 0, -0.01}, fixed = true);
  Particles.Rain beads(n = 60, rate = 600, low = {-0.05, -0.05, 0.03}, high = {0.05, 0.05, 0.06}, mu_r = 0.05);
  Particles.BoxSensor box(low = {-0.1, -0.1, 0}, high = {0.1, 0.1, 0.2});
  Particles.FlowSensor gate(r = {0, 0, 0.02}, average = 0.02);
  Particles.Sink sink(high = {1, 1, -0.05});
  parameter Real enough(unit = "kg") = 0.03;
  discrete Real t_enough(start = -1, fixed = true, unit = "s");
  Real x(start = 0, fixed = true) "What is in the box, integrated";
equation
  der(x) = box.mass;
  when box.mass > enough then
    t_enough = time;
  end when;
  annotation(experiment(StopTime = 0.25, Interval = 0.01));
end Dosing;
END
last() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); if ($i == name) k = i } } END { print $k }' "$1"; }
expect 0 "" simulate Dosing.mo --quiet --output-file dosing.csv
# Grains and equations meet each 50 steps; a bead that comes then is seen the next time.
step=1.2e-3
# A bead is 2500 pi/6 1e-6 kg = 1.308997 g: 23 of them are more than 30 g, and the 23rd comes 22/600 s after the first.
last dosing.csv t_enough | awk -v step=$step '{ if ($1 < 22/600 || $1 > 22/600 + 2*step) { print "t_enough = " $1; exit 1 } }' || complain "when"
is "beads in the box" "$(last dosing.csv box.count)" 60
is "beads that have passed" "$(last dosing.csv gate.count)" 60
is "beads that left" "$(last dosing.csv sink.count)" 0
# Of 60 beads, one each 1/600 s: the integral to 0.25 s is m Σ (0.25 - k/600), less what is seen late.
last dosing.csv x | awk -v step=$step '{ m = 2500*3.14159265358979/6*1e-6; for (k = 0; k < 60; k++) want += m*(0.25 - k/600); if ($1 > want || $1 < want - 60*m*2*step) { print "x = " $1 ", want " want; exit 1 } }' || complain "integral"
sed 's/Dosing/Wrong/; s/high = {0.1, 0.1, 0.2}/high = {0.1, -0.1, 0.2}/' Dosing.mo >Wrong.mo
sed -i 's/end Dosing/end Wrong/' Wrong.mo
expect 1 "*Wrong.mo:6:*the box of 'box' measures*" simulate Wrong.mo --quiet

# Fillings from files: places, radii, and velocities if there are seven columns.
cat >FromFile.mo <<'END'
model FromFile
  import Rattleback.*;
  inner World world(gravityType = World.GravityType.NoGravity);
  Particles.File beads(fileName = "beads.csv", headerLines = 1, rho = 1000, v = {0, 0, 3});
  Particles.BoxSensor box(low = {-1, -1, -1}, high = {1, 1, 1});
  annotation(experiment(StopTime = 0.01, Interval = 0.01));
end FromFile;
END
printf 'x,y,z,r\n0,0,0,0.01\n0.1,0,0,0.02\n0,0.3,0,0.01\n' >beads.csv
expect 0 "" simulate FromFile.mo --quiet --output-file from.csv
is "beads of the file" "$(last from.csv box.count)" 3
# 1000 4/3 pi (1e-6 + 8e-6 + 1e-6) kg
is "their mass" "$(last from.csv box.mass | awk '{ printf "%.9f", $1 }')" 0.041887902
is "their velocity" "$(last from.csv 'box.v[3]' | awk '{ printf "%.6f", $1 }')" 3.000000
printf 'x,y,z,r,u,v,w\n0,0,0,0.01,1,0,0\n0.1,0,0,0.01,0,0,-2\n' >beads.csv
expect 0 "" simulate FromFile.mo --quiet --output-file from.csv
is "velocity of their own" "$(last from.csv 'box.v[3]' | awk '{ printf "%.6f", $1 }')" -1.000000
printf 'x,y,z\n0,0,0\n' >beads.csv
expect 1 "*FromFile.mo:4:*has 3 columns; 4 are wanted*" simulate FromFile.mo --quiet
printf 'h\n0,0,0,0.01\n0,0,0.01,0.01\n' >beads.csv
expect 1 "*grain 2 of 'beads'*overlaps grain 1*" simulate FromFile.mo --quiet
printf 'h\n0,0,0,-0.01\n' >beads.csv
expect 1 "*grain 1 of 'beads' has the radius -0.01 m*" simulate FromFile.mo --quiet
rm beads.csv
expect 6 "*beads.csv*" simulate FromFile.mo --quiet

# Adhesion: a bead flies against a ceiling. It hangs there if its weight, 0.012841 N, is less than 3/2 pi w R: w > 0.545 J/m2.
ceiling() { # ceiling NAME W
    cat >"$1.mo" <<END
model $1
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  Parts.Solid ceiling(shape = Shapes.Box(0.2, 0.2, 0.02), r = {0, 0, 0.01}, fixed = true);
  Particles.Grid beads(n = 1, low = {-0.05, -0.05, -0.0101}, high = {0.05, 0.05, 0}, v = {0, 0, 0.05}, w = $2, e = 0.1);
  annotation(experiment(StopTime = 0.2, Interval = 0.1));
end $1;
END
}
ceiling Weak 0.4
ceiling Strong 0.7
expect 0 "" simulate Weak.mo --quiet --output-file weak.csv
expect 0 "" simulate Strong.mo --quiet --output-file strong.csv
is "contacts of a bead that hangs" "$(last strong.csv grains.coordination)" 1
is "contacts of one that falls" "$(last weak.csv grains.coordination)" 0
expect 1 "*the work of adhesion -1*" simulate Weak.mo --quiet --override beads.w=-1 --output-file weak.csv
expect 1 "*Weak.mo:5:*'beads' has the step -1 s*must be positive, or 0*" simulate Weak.mo --quiet --override beads.step=-1 --output-file weak.csv
expect 1 "*Weak.mo:5:*the largest speed -1 m/s*must be positive, or 0*" simulate Weak.mo --quiet --override beads.maxSpeed=-1 --output-file weak.csv
# A cell without ends: 50 beads rest on the ground with their weight, 50*2500*4/3 pi 0.005^3*9.81 N, and slide on through the gate.
cat >Cell.mo <<'END'
model Cell "Beads in a cell without ends"
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  Parts.Solid ground(shape = Shapes.Box(0.4, 0.4, 0.02), r = {0, 0, -0.01}, fixed = true);
  parameter Real a = 0.1;
  Particles.Periodic cell(low = {-a/2, -a/2, 0}, high = {a/2, a/2, 1});
  Particles.Random beads(n = 50, low = {-0.05, -0.05, 0}, high = {0.05, 0.05, 0.1}, v = {0.3, 0, 0}, mu = 0);
  Particles.FlowSensor gate(r = {0.01, 0, 0}, n = {1, 0, 0});
  Particles.PartSensor scale(part = "ground");
  annotation(experiment(StopTime = 1, Interval = 0.1));
end Cell;
END
expect 0 "" simulate Cell.mo --quiet --output-file cell.csv
is "contacts with the ground" "$(last cell.csv scale.contacts)" 50
is "their weight" "$(last cell.csv 'scale.force[3]' | awk '{ printf "%.4f", $1 }')" -0.6421
last cell.csv gate.count | awk '{ exit !($1 > 50) }' || complain "$(last cell.csv gate.count) beads went through the gate"
expect 1 "*Cell.mo:6:22: error: the periodic cell 'cell' measures 0.02 m along x; grains of 0.01 m in diameter need 0.022 m at least*" simulate Cell.mo --quiet --override a=0.02
expect 1 "*Cell.mo:7:20: error: the box of the grains 'beads' reaches from -0.05 to 0.05 m along x, beyond the periodic borders at -0.045 and 0.045 m*" simulate Cell.mo --quiet --override a=0.09
sed 's/  Particles.FlowSensor/  Particles.Periodic twice(low = zeros(3), high = ones(3));\n&/; s/Cell/Two/g' Cell.mo >Two.mo
expect 1 "*'twice' is a second periodic cell for the particles, beside 'cell': there can be one*" simulate Two.mo --quiet
# Layers of a flow down a slope without end, of 28 degrees. Nothing accelerates in the mean, so at every height the vertical stress is the weight above times the cosine of the
# slope, and shear is its tangent of that. (The boxes at the ground and at the top cut through what is there: the inner ones count.)
cat >Layers.mo <<'END'
model Layers
  extends Rattleback.Examples.Chute;
  Rattleback.Particles.BoxSensor layer[4](low = {{0, 0, 0.01 + 0.01*k} for k in 0:3}, high = {{0.08, 0.08, 0.02 + 0.01*k} for k in 0:3});
end Layers;
END
expect 0 "" simulate Layers.mo --quiet --stop-time 0.6 --variable-filter 'layer.*' --output-file layers.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); at[$i] = i } next }
    $1 > 0.3 { n++; for (k = 1; k <= 4; k++) { m[k] += $at["layer[" k "].mass"]; z[k] += $at["layer[" k "].stress[3]"]; x[k] += $at["layer[" k "].stress[5]"] } }
    END { angle = 28*atan2(0, -1)/180; good = n > 100
        for (k = 4; k >= 1; k--) { above += m[k]/2; want = above/n*9.81*cos(angle)/0.08^2; above += m[k]/2; sum_x += x[k]; sum_z += z[k]
            if ((k == 2 || k == 3) && (z[k]/n/want - 1)^2 > 0.1^2) { print "layer " k ": " z[k]/n " Pa, want " want; good = 0 } }
        if ((-sum_x/sum_z/(sin(angle)/cos(angle)) - 1)^2 > 0.06^2) { print "shear over pressure: " -sum_x/sum_z; good = 0 }
        exit !good }' layers.csv || complain "stress in layers"
finish
