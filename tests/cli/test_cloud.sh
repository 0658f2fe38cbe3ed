# Arrays of spheres as a cloud: World.particles.
. "$(dirname "$0")/expect.sh"

triangle() { # triangle NAME ROWS CHOICE
    cat >"$1.mo" <<END
model $1 "A triangle of balls is hit from below"
  import Rattleback.*;
  parameter Integer rows = $2;
  parameter Integer n = div(rows*(rows + 1), 2);
  parameter Integer row[n] = {integer(ceil((sqrt(8*k + 1) - 1)/2 - 1e-9)) for k in 1:n};
  inner World world(gravityType = World.GravityType.NoGravity$3);
  Materials.Solid bead(name = "Bead", density = 1700, youngsModulus = 5e6, poissonsRatio = 0.3);
  Materials.Pair pair(a = "Bead", b = "Bead", restitution = 1);
  Parts.Solid ball[n](each shape = Shapes.Sphere(0.04), each material = "Bead",
    r = {{row[k]*0.04004*sqrt(0.75), (k - row[k]*(row[k] - 1)/2 - row[k]/2)*0.04004, 0} for k in 1:n});
  Parts.Solid cue(shape = Shapes.Sphere(0.04), material = "Bead", r = {-0.0065, 0.023, 0}, v = {2, 0, 0});
  annotation(experiment(StopTime = 0.02, Interval = 0.01));
end $1;
END
}
last() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ name) k = i } END { print $k }' "$1"; }

# 55 as bodies; as a cloud if that is wanted; 5,050 without asking.
triangle Few 10 ""
triangle Wanted 10 ", particles = World.ParticleChoice.Cloud"
triangle Many 100 ""
sed -i 's/  annotation/  Particles.BoxSensor all(low = {-9, -9, -9}, high = {9, 9, 9});\n  annotation/' Many.mo
expect 0 "" simulate Few.mo --quiet --output-file few.csv
grep -q 'grains' few.csv && complain "55 spheres became a cloud"
expect 0 "" simulate Wanted.mo --quiet --output-file wanted.csv
is "spheres of the cloud" "$(last wanted.csv grains.count)" 56
expect 0 "*5051 spheres are computed as a cloud*" simulate Many.mo --output-file many.csv --log EVENTS
# The choice is told in the log, in the summary, and by info.
grep -q '^5051 particles as a cloud, without control of the error' stderr.txt || complain "the summary does not tell that there is a cloud"
says() { grep -q -e "$1" stdout.txt || complain "no '$1' in: $(head -c 300 stdout.txt)"; }
expect 0 "" simulate Wanted.mo --summary json --output-file wanted.csv
says '"particles":56,"particle_steps":'
expect 0 "" info wanted.csv
says 'grains.count.*computed as a cloud'
expect 0 "" info Few.mo
says 'world.particles.*Auto.*as a cloud from 2000 on'
is "spheres of the cloud" "$(last many.csv grains.count)" 5051
# Elastic: what the cue has at first, ½ m v² with m = 1700 π/6 0.04³ and 2 m/s, is there all the time.
for file in wanted many; do
    last "$file.csv" grains.balance | awk -v file="$file" '{ if ($1 < -1e-4*0.11394 || $1 > 1e-4*0.11394) { print file ": energy is off by " $1 " J"; exit 1 } }' || complain "energy"
done
# So is its momentum, to roundings: the mean velocity of all times their mass; none across.
echo "$(last many.csv 'all.mass') $(last many.csv 'all.v\\[1\\]') $(last many.csv 'all.v\\[2\\]')" | awk '{
    p = 2*1700*3.14159265358979323846/6*0.04^3; x = $1*$2/p - 1; y = $1*$3/p; exit !(x^2 < 1e-24 && y^2 < 1e-24) }' || complain "momentum of 5,051 balls"
triangle Named 2 ", particles = World.ParticleChoice.Cloud"
sed -i 's/  annotation/  Sensors.Contact touch(a = "cue");\n  annotation/' Named.mo
expect 1 "*'touch' may speak of single spheres*choose Events*" simulate Named.mo --quiet
# A step that is far too large is refused before the run; one that is too large for a contact of the run ends it there.
cat >Coarse.mo <<'END'
model Coarse
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  Parts.Solid ground(shape = Shapes.Box(0.4, 0.4, 0.02), r = {0, 0, -0.01}, fixed = true);
  Particles.Grid beads(n = 30, low = {-0.05, -0.05, 0.01}, high = {0.05, 0.05, 0.2}, step = 1e-4, v = {0, 0, -1});
  annotation(experiment(StopTime = 0.1, Interval = 0.05));
end Coarse;
END
expect 1 "*the step of the grains of 0.01 s is too large*would be chosen*" simulate Coarse.mo --quiet --override beads.step=0.01
expect 5 "*the step of the grains of 0.0005 s is too large: a contact lasts*" simulate Coarse.mo --quiet --override beads.step=5e-4
finish
