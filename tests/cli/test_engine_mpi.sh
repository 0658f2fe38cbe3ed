# label: full
# Particles that rattleback-mpi computes, on 1, 2 and 4 processes, against our own engine: which models run, a mechanism that grains
# move and that moves them, what is left when a process is killed, and how it goes on.
. "$(dirname "$0")/expect.sh"

[ -x "$(dirname "$program")/rattleback-mpi" ] || { echo "skipped: rattleback-mpi was not built (libliggghts-dev and libopenmpi-dev, tools/packages-full)"; exit 0; }
command -v mpirun >/dev/null || { echo "skipped: mpirun is missing (tools/packages-full)"; exit 0; }
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # tests run in containers
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

run() { "$program" simulate "$@" --quiet >stdout.txt 2>stderr.txt || complain "simulate $*: $(cat stderr.txt)"; }
# The largest difference of a column in two files, over the largest value in the first; NaN is far away.
apart() { # apart COLUMN A B
    awk -F, -v name="$1" '
        FNR == 1 { n = split($0, h, "\",\""); for (i = 1; i <= n; i++) { gsub(/"/, "", h[i]); if (h[i] == name) k = i } next }
        NR == FNR { a[FNR] = $k; s = $k < 0 ? -$k : $k; if (s > most) most = s; next }
        { d = $k - a[FNR]; d = d < 0 ? -d : d; if (d != d || $k == "") d = 1e9; if (d > far) far = d; rows++ }
        END { printf("%.3g", (rows > 0 && most > 0) ? far / most : (rows > 0 ? far : 1e9)) }' "$2" "$3"
}
below() { # below WHAT VALUE LIMIT
    awk -v a="$2" -v b="$3" 'BEGIN { exit !(a <= b) }' || complain "$1: $2, want at most $3"
}
column() { awk -F, -v name="$1" 'FNR == 1 { n = split($0, h, "\",\""); for (i = 1; i <= n; i++) { gsub(/"/, "", h[i]); if (h[i] == name) k = i } next } { v = $k } END { print v }' "$2"; }

# Ten models of bulk solids as they are, for a while that is short for chaos: the same numbers but for roundings.
for model in Triangle Hopper Drum Silo Heap Mixture Excavator ConveyorToPile Feeder; do
    run "$source/examples/modelica/Granular.mo" Granular.$model --stop-time 0.02 --output-file own.csv
    for ranks in 1 4; do
        run "$source/examples/modelica/Granular.mo" Granular.$model --stop-time 0.02 --engine liggghts --ranks $ranks --output-file far.csv
        for value in grains.count grains.kinetic grains.height grains.stored; do
            below "$model on $ranks, $value" "$(apart $value own.csv far.csv)" 1e-6
        done
    done
done
run Rattleback.Examples.Chute --stop-time 0.05 --output-file own.csv
run Rattleback.Examples.Chute --stop-time 0.05 --engine liggghts --ranks 4 --output-file far.csv
for value in gate.massFlow gate.count 'slope.stress[5]' grains.kinetic; do
    below "Chute, $value" "$(apart $value own.csv far.csv)" 1e-6
done

# A flap on a hinge with spring and damper, on which 1,440 grains fall. Own runs whose grains begin 1e-8 m elsewhere part; those of the
# engine are no farther away.
cat >Flap.mo <<'END'
model Flap "Grains fall on a flap"
  import Rattleback.*;
  parameter Real shift = 0;
  inner World world(g = 9.81, n = {0, 0, -1});
  Parts.Solid ground(shape = Shapes.HalfSpace(), fixed = true);
  Parts.Fixed bearing(r = {0, 0, 0.3});
  Joints.Revolute hinge(n = {0, 1, 0}, useAxisFlange = true);
  Rotational.Components.SpringDamper spring(c = 3, d = 0.05);
  Rotational.Components.Fixed fix;
  Parts.FixedTranslation arm(r = {0.08, 0, 0});
  Parts.Solid flap(shape = Shapes.Box(0.16, 0.12, 0.01));
  Particles.Random beads(n = 1440, low = {0.01, -0.055, 0.32 + shift}, high = {0.16, 0.055, 0.6 + shift}, radius = 0.004, E = 1e6, mu_r = 0.05);
equation
  connect(bearing.frame_b, hinge.frame_a);
  connect(hinge.frame_b, arm.frame_a);
  connect(arm.frame_b, flap.frame_a);
  connect(spring.flange_a, fix.flange);
  connect(spring.flange_b, hinge.axis);
  annotation(experiment(StopTime = 0.4, Interval = 0.01));
end Flap;
END
run Flap.mo --output-file own.csv
scatter=0
for shift in 1e-8 2e-8 3e-8; do
    run Flap.mo --override shift=$shift --output-file shifted.csv
    scatter=$(awk -v a="$scatter" -v b="$(apart hinge.phi own.csv shifted.csv)" 'BEGIN { print (a > b ? a : b) }')
done
for ranks in 1 2 4; do
    run Flap.mo --engine liggghts --ranks $ranks --output-file far.csv
    far=$(apart hinge.phi own.csv far.csv)
    echo "flap on $ranks: $far, disturbed own runs $scatter"
    below "flap on $ranks processes" "$far" "$(awk -v a="$scatter" 'BEGIN { print 1.5*a + 1e-9 }')"
done

# A sphere slides, then rolls: with R w = v from the time t = v0/(g (mu + 5/2 (mu - mu_r))) on it is slower by 5/7 mu_r g.
cat >Roll.mo <<'END'
model Roll "A soft sphere slides and rolls on the ground"
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  Materials.Solid bead(name = "Bead", density = 2500, youngsModulus = 2e6, poissonsRatio = 0.3);
  Materials.Pair pair(a = "Bead", b = "Bead", restitution = 0.5, slidingFriction = 0.6, rollingResistance = 0.02);
  Parts.Solid ground(shape = Shapes.HalfSpace(), material = "Bead", fixed = true);
  Particles.Grid ball(n = 1, radius = 0.005, low = {0, 0, 0}, high = {0.011, 0.011, 0.011}, v = {0.2, 0, 0}, material = "Bead");
  Particles.BoxSensor all(low = {-1, -1, -1}, high = {1, 1, 1});
  annotation(experiment(StopTime = 0.3, Interval = 0.1));
end Roll;
END
run Roll.mo --engine liggghts --ranks 2 --output-file far.csv
below "speed of a sphere that rolls" "$(awk -v v="$(column 'all.v[1]' far.csv)" 'BEGIN {
    g = 9.81; mu = 0.6; r = 0.02; t = 0.2/(g*(mu + 2.5*(mu - r))); w = 0.2 - mu*g*t - 5/7*r*g*(0.3 - t); d = (v - w)/w; print (d < 0 ? -d : d) }')" 5e-3

# A paddle wheel and a drum, each with a motor in equations: what the motor gives is what the parts have got and the grains; the grains know
# the work of walls on them, the solver that of its loads: two sides of the exchange.
cat >Wheel.mo <<'END'
model Wheel "A motor turns a wheel of four paddles through beads"
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  Parts.Solid ground(shape = Shapes.HalfSpace(), fixed = true);
  Parts.Solid side[4](each shape = Shapes.Box(0.02, 0.24, 0.2), r = {{0.11, 0, 0.1}, {-0.11, 0, 0.1}, {0, 0.06, 0.1}, {0, -0.06, 0.1}},
    angles = {{0, 0, 0}, {0, 0, 0}, {0, 0, Rattleback.pi/2}, {0, 0, Rattleback.pi/2}}, each fixed = true);
  Parts.Fixed bearing(r = {0, 0, 0.09});
  Joints.Revolute shaft(n = {0, 1, 0}, useAxisFlange = true, canCollide = true);
  Rotational.Sources.Torque motor;
  Parts.Pieces wheel(material = "Steel", pieces = {Solids.translate(Solids.Box({0.15, 0.08, 0.008}), {-0.075, -0.04, -0.004}),
    Solids.translate(Solids.Box({0.008, 0.08, 0.071}), {-0.004, -0.04, 0.004}), Solids.translate(Solids.Box({0.008, 0.08, 0.071}), {-0.004, -0.04, -0.075})});
  Particles.Random beads(n = 500, low = {-0.09, -0.045, 0.17}, high = {0.09, 0.045, 0.5}, radius = 0.005, E = 1e6, mu_r = 0.1);
  parameter Real k(unit = "N.m.s/rad") = 1.5;
  parameter Real w(unit = "rad/s") = 8;
  Real work(unit = "J", start = 0, fixed = true) "Of the motor";
equation
  motor.tau = k*(w - shaft.w);
  der(work) = motor.tau*shaft.w;
  connect(bearing.frame_b, shaft.frame_a);
  connect(shaft.frame_b, wheel.frame_a);
  connect(motor.flange, shaft.axis);
  annotation(experiment(StopTime = 0.4, Interval = 0.01));
end Wheel;
END
sed 's/Wheel/Drum/g; /Parts.Solid side/,/angles/d; /Parts.Pieces wheel/,/0.075})});/d; /Particles.Random/d; /Parts.Solid ground/d
    s/  Rotational.Sources.Torque motor;/&\n  parameter Real R = 0.1;\n  Parts.Workpiece wheel(mesh = Solids.translate(Solids.extrude(Solids.withHole(Solids.Circle(1.1*R, segments = 24), Solids.Circle(R, segments = 24)), 0.08), {0, 0, -0.04}));\n  Parts.Solid lid[2](each shape = Shapes.Box(0.24, 0.24, 0.01), r = {{0, 0, 0.046}, {0, 0, -0.046}}, each fixed = true);\n  Particles.Random beads(n = 300, low = {-0.06, -0.06, -0.035}, high = {0.06, 0.06, 0.035}, E = 1e6);/
    s/n = {0, 0, -1}/n = {0, -1, 0}/; s/n = {0, 1, 0}, useAxis/n = {0, 0, 1}, useAxis/; s/r = {0, 0, 0.09}/r = {0, 0, 0}/' Wheel.mo >Drum.mo
for model in Wheel Drum; do
    run $model.mo --engine liggghts --ranks 2 --output-file far.csv
    driven=$(column grains.driven far.csv)
    gap=$(awk -v i="$(column energy.input far.csv)" -v m="$(column work far.csv)" -v d="$driven" 'BEGIN { g = (i - m + d)/d; print (g < 0 ? -g : g) }')
    echo "$model: work on the grains $driven J, gap of the power balance $gap"
    below "power balance of $model" "$gap" 0.01
    below "energy of the grains of $model" "$(awk -v b="$(column grains.balance far.csv)" -v d="$driven" 'BEGIN { b = b/d; print (b < 0 ? -b : b) }')" 0.01
done

# A process is killed, then the command: what there is until then is kept, nobody goes on for himself, and the rest is made from the
# checkpoint, on another number of processes or by our own engine.
hopper="$source/examples/modelica/Granular.mo Granular.Hopper --stop-time 0.06 --output-interval 0.002 --checkpoint-interval 0.01 --engine liggghts"
# shellcheck disable=SC2086 # words
run $hopper --output-file whole.csv
wait_for() { tries=0; until [ -s "$1" ] || [ $tries -ge 600 ]; do sleep 0.1; tries=$((tries + 1)); done; }
# shellcheck disable=SC2086
"$program" simulate $hopper --ranks 2 --quiet --output-file cut.csv >stdout.txt 2>stderr.txt & command=$!
wait_for cut.rbc
pkill -9 -o -f "[r]attleback-mpi --serve rattleback-$command-" || complain "there is no process to kill"
wait $command
is "exit code when a process is killed" $? 6
grep -q "rattleback-mpi was killed after t = .*what there is until then is kept" stderr.txt || complain "a killed process: $(cat stderr.txt)"
is "messages about it" "$(grep -c 'rattleback-mpi was killed' stderr.txt)" 1
[ -s cut.rbc ] || complain "no checkpoint"
# shellcheck disable=SC2086
"$program" simulate $hopper --ranks 2 --quiet --output-file gone.csv >stdout.txt 2>stderr.txt & command=$!
wait_for gone.rbc
kill -9 $command
wait $command 2>/dev/null
tries=0
while pgrep -f "[r]attleback-mpi --serve rattleback-$command-" >/dev/null && [ $tries -lt 200 ]; do sleep 0.1; tries=$((tries + 1)); done
! pgrep -f "[r]attleback-mpi --serve rattleback-$command-" >/dev/null || complain "processes go on without the command"
for ranks in 1 4; do
    cp cut.csv.rbj again.csv.rbj
    # shellcheck disable=SC2086
    run $hopper --ranks $ranks --resume cut.rbc --output-file again.csv
    for value in grains.kinetic grains.stored gate.massFlow; do
        below "resumed on $ranks, $value" "$(apart $value whole.csv again.csv)" 1e-4
    done
    below "energy balance of a resumed run" "$(awk -v b="$(column grains.balance again.csv)" 'BEGIN { print (b < 0 ? -b : b) }')" 1e-6
done
finish
