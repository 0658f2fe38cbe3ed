# Walls of grains are the parts that are there: those that are absent, go or come, and a world or parts without contact.
. "$(dirname "$0")/expect.sh"

last() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); if ($i == name) k = i } } END { print $k }' "$1"; }
# near WHAT VALUE WANTED TOLERANCE
near() { awk -v x="$2" -v y="$3" -v by="$4" 'BEGIN { exit !(x != "" && x - y <= by && y - x <= by) }' || complain "$1: got '$2', want $3 within $4"; }
# scene NAME WORLD PARTS BEADS: in 0.2 s
scene() {
    cat >"$1.mo" <<END
model $1
  import Rattleback.*;
  inner World world($2);
  $3
  Particles.Grid beads($4);
  annotation(experiment(StopTime = 0.2, Interval = 0.05));
end $1;
END
}
down='g = 9.81, n = {0, 0, -1}'
one='n = 1, low = {0, 0, 0.05}, high = {0.02, 0.02, 0.07}'
nine='n = 9, low = {-0.02, -0.02, 0}, high = {0.02, 0.02, 0.02}'
mass=$(awk 'BEGIN { printf "%.17g", 2500*4/3*atan2(0, -1)*0.005^3 }')
falls() { near "$1: energy of free fall" "$(last "$1.csv" grains.kinetic)" "$(awk -v m="$mass" 'BEGIN { printf "%.17g", m/2*(9.81*0.2)^2 }')" 1e-7; }

# Free fall, past where a part is not, or does not touch: m/2 (g t)^2. (Between exchanges, 1 ms apart, energies are interpolated: m/8 (g 1e-3)^2 = 2e-8 J.)
scene Absent "$down" 'Parts.Solid f(shape = Shapes.Box(0.1, 0.1, 0.02), present = false, mass = 0.1, r = {5, 0, 0});' "$one"
scene Fixed "$down" 'Parts.Solid f(shape = Shapes.Box(0.1, 0.1, 0.02), present = false, fixed = true);' "$one"
scene Alone "$down, contact = false" 'Parts.Solid f(shape = Shapes.Box(0.1, 0.1, 0.02), fixed = true);' "$one"
scene Untouched "$down" 'Parts.Solid f(shape = Shapes.Box(0.1, 0.1, 0.02), fixed = true, collidable = false);' "$one"
for name in Absent Fixed Alone Untouched; do
    expect 0 "" simulate $name.mo --quiet --output-file $name.csv
    falls $name
done
expect 0 "*grains touch no part*they touch each other*" simulate Alone.mo --log EVENTS --output-file alone.csv

# A plate that floats half a metre away goes at 0.1 s: nobody notices, 9 m/2 v^2 stays.
scene Away 'g = 0' 'Parts.Solid f(shape = Shapes.Box(0.2, 0.2, 0.02), r = {0, 0, -0.5}, mass = 1); Actions.Remove go(at = 0.1, a = "f");' "$nine, v = {0.1, 0.1, 0}"
expect 0 "" simulate Away.mo --quiet --output-file away.csv
near "energy beside a plate that goes" "$(last away.csv grains.kinetic)" "$(awk -v m="$mass" 'BEGIN { printf "%.17g", 9*m/2*0.02 }')" 1e-15

# The floor goes at 0.1 s: nine beads on it fall from then on, at most one step (1e-4 s) later. The balance of energy holds.
scene Floor "$down" 'Parts.Solid base(shape = Shapes.Box(0.01, 0.01, 0.01), r = {0.5, 0, 0}, fixed = true); Parts.Solid f(shape = Shapes.Box(0.2, 0.2, 0.02), r = {0, 0, -0.01});
  Actions.Attach hold(at = 0, a = "base", b = "f"); Actions.Remove go(at = 0.1, a = "f");' "$nine"
expect 0 "" simulate Floor.mo --quiet --checkpoint-interval 0.15 --output-file floor.csv
speed=$(last floor.csv grains.kinetic | awk -v m="$mass" '{ printf "%.17g", sqrt(2*$1/(9*m)) }')
near "speed below a floor that has gone" "$speed" 0.981 0.001
near "balance of a floor that has gone" "$(last floor.csv grains.balance)" 0 1e-8
cp floor.csv whole.csv
expect 0 "" simulate Floor.mo --quiet --threads 3 --checkpoint-interval 0.15 --output-file threads.csv
cmp -s threads.csv whole.csv || complain "threads give another result where walls go"
expect 0 "" simulate Floor.mo --quiet --checkpoint-interval 0.15 --resume floor.rbc --output-file floor.csv
is "resumed after a wall went" "$(tail -1 floor.csv)" "$(tail -1 whole.csv)"

# A heavy plate comes at 0.05 s where beads were at the start, into the way of one that loses nothing: it comes back with its speed.
scene Comes 'g = 0' 'Materials.Solid s(name = "S", density = 2500, youngsModulus = 5e6, poissonsRatio = 0.3); Materials.Pair p(a = "S", b = "S", restitution = 1);
  Parts.Solid f(shape = Shapes.Box(0.2, 0.2, 0.02), present = false, mass = 1e6, material = "S"); Actions.Add come(at = 0.05, a = "f", r = {0, 0, -0.1});
  Particles.BoxSensor s1(low = {-10, -10, -10}, high = {10, 10, 10});' "n = 1, low = {-0.01, -0.01, 0}, high = {0.01, 0.01, 0.02}, v = {0, 0, -1}, material = \"S\""
expect 0 "" simulate Comes.mo --quiet --output-file comes.csv
near "velocity after a plate that came" "$(last comes.csv 's1.v[3]')" 1 2e-3

# It comes 0.2 mm before a bead of 1 m/s: no earlier exchange may have taken the bead past that. With steps that end at that moment, too.
for step in '' ', step = 1e-5'; do
    scene Near 'g = 0' 'Materials.Solid s(name = "S", density = 2500, youngsModulus = 5e6, poissonsRatio = 0.3); Materials.Pair p(a = "S", b = "S", restitution = 1);
  Parts.Solid f(shape = Shapes.Box(0.2, 0.2, 0.02), present = false, mass = 1e6, material = "S"); Actions.Add come(at = 0.05, a = "f", r = {0, 0, -0.0602});
  Particles.BoxSensor s1(low = {-10, -10, -10}, high = {10, 10, 10});' "n = 1, low = {-0.005, -0.005, 0}, high = {0.005, 0.005, 0.01}, v = {0, 0, -1}, material = \"S\"$step"
    expect 0 "" simulate Near.mo --quiet --output-file near.csv
    near "velocity after a plate that came just before$step" "$(last near.csv 's1.v[3]')" 1 2e-3
    near "balance$step" "$(last near.csv grains.balance)" 0 1e-7
done

# Where beads are, it is told: a little deep they are pushed out, and what that costs is in the account; deep it is refused.
into() { scene "$1" 'g = 0' "Parts.Solid f(shape = Shapes.Box(0.2, 0.2, 0.02), present = false, mass = 1e6); Actions.Add come(at = 0.05, a = \"f\", r = {0, 0, $2});" "$nine"; }
into Into -0.0095
expect 0 "*warning: the part 'f' comes at t = 0.05* s where 9 grains are, the first grain 1: it pushes them out with an energy that nobody has paid; let it come where there are none, or let a sink take them before*" \
    simulate Into.mo --quiet --output-file into.csv
is "warnings of what comes" "$(grep -c warning stderr.txt)" 1
# Half a contact with 40 steps in a whole one: the error of the steps is less than a thousandth of what they get.
pushed=$(awk -v e="$(last into.csv grains.kinetic)" -v d="$(last into.csv grains.damped)" 'BEGIN { print e + d }')
near "balance of what comes" "$(last into.csv grains.balance)" 0 "$(awk -v e="$pushed" 'BEGIN { print 1e-3*e }')"
awk -v e="$pushed" 'BEGIN { exit !(e > 1e-4) }' || complain "nobody is pushed out: $pushed J"
into Deep -0.004
expect 5 "*error: *the part 'f' comes at t = 0.05* s where 9 grains are, grain 1 by more than half of its radius: let it come where there are none, or let a sink take them before*" \
    simulate Deep.mo --quiet --output-file deep.csv
finish
