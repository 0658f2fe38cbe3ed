# Equations that reach bodies make one island of all; meshes and shapes meet in it as with one solver, thin ones too.
. "$(dirname "$0")/expect.sh"

# last NAME: the last value of a variable in o.csv
last() {
    awk -F , -v name="\"$1\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i } END { print $column }' o.csv
}

# near WHAT VALUE WANTED TOLERANCE
near() { awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !(a - b <= t && b - a <= t) }' || complain "$1: got $2, want $3"; }

# blow KIND SHAPE SPEED: of two equal thin plates, one at rest; the other stops.
blow() {
    cat >Blow.mo <<EOF
model Blow
  import Rattleback.*;
  inner World world(gravityType = World.GravityType.NoGravity);
  Materials.Pair pair(a = "Steel", b = "Steel", restitution = 1);
  Parts.$1 a($2, v = {$3, 0, 0});
  Parts.$1 b($2, r = {0.3, 0, 0});
  Forces.WorldForce push;
equation
  connect(push.frame_b, b.frame_a);
  push.force = {0, 0, sin(time)};
  annotation(experiment(StopTime = 0.15, Tolerance = 1e-6));
end Blow;
EOF
    for solver in islands cvode; do
        expect 0 "" simulate Blow.mo --solver $solver --quiet --output-file o.csv
        near "$1, $solver: speed of the one that hits" "$(last 'a.v_0[1]')" 0 "$(awk -v v="$3" 'BEGIN { print 1e-5*v }')"
        near "$1, $solver: speed of the one that is hit" "$(last 'b.v_0[1]')" "$3" "$(awk -v v="$3" 'BEGIN { print 1e-5*v }')"
    done
}

blow Workpiece 'mesh = Solids.translate(Solids.Box({0.004, 0.1, 0.1}), {-0.002, -0.05, -0.05})' 30
blow Solid 'shape = Shapes.Box(0.004, 0.1, 0.1)' 30

# A tray that is shaken by an equation, with things in it: the same contacts with both.
for solver in islands cvode; do
    expect 0 "*" simulate Rattleback.Examples.ShakenTray --solver $solver --output-file o.csv
    events=$(sed -n 's/.* \([0-9]*\) state events.*/\1/p' stdout.txt stderr.txt)
    [ "${events:-0}" -gt 10 ] || complain "shaken tray, $solver: $events events"
done
finish
