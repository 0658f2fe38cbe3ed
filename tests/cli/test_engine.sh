# Particles that another program computes. The program here is a script; the real one: dem/test_liggghts_pile.
. "$(dirname "$0")/expect.sh"

pile() { # pile NAME CHANGES
    cat >"$1.mo" <<END
model $1 "Beads fall on the ground"
  import Rattleback.*;
  inner World world(g = 9.81, n = {0, 0, -1});
  Parts.Solid ground(shape = Shapes.Box(1, 1, 0.1), r = {0, 0, -0.05}, fixed = true, material = "Bead");
  Materials.Solid bead(name = "Bead", density = 2500, youngsModulus = 5e6, poissonsRatio = 0.3);
  Materials.Pair pair(a = "Bead", b = "Bead", restitution = 0.5, slidingFriction = 0.5);
  Particles.Grid beads(n = 2, low = {0, 0, 0.01}, high = {0.1, 0.1, 0.1}, material = "Bead", step = 1e-5$2);
  annotation(experiment(StopTime = 0.003, Interval = 0.001));
end $1;
END
}
pile Pile ""
mkdir -p bin

# No program of this name anywhere.
PATH_BEFORE=$PATH
PATH=$PWD/bin
export PATH
/usr/bin/env PATH="$PWD/bin" "$program" simulate Pile.mo --quiet --engine liggghts >stdout.txt 2>stderr.txt
code=$?
PATH=$PATH_BEFORE
is "exit code without the program" $code 2
grep -q 'install the package liggghts' stderr.txt || complain "missing program: $(cat stderr.txt)"

# It computes three frames, or dies after two.
cat >bin/liggghts <<'END'
#!/bin/sh
[ "$1 $2" = "-in in.liggghts" ] && [ -s data.liggghts ] && [ -s wall0.stl ] || { echo "ERROR: no input"; exit 1; }
for step in 0 100 200 300; do
    [ "$step" = "$DIES_AT" ] && kill -9 $$
    printf 'ITEM: TIMESTEP\n%d\nITEM: NUMBER OF ATOMS\n2\nITEM: ATOMS id x y z\n' $step >frame.$step.txt
    for i in 2 1; do echo "$i 0.0$i 0.02 0.3 0 0 2 0 0 0 0 0 0" >>frame.$step.txt; done
done
END
chmod +x bin/liggghts
PATH=$PWD/bin:$PATH
export PATH
expect 0 "" simulate Pile.mo --quiet --engine liggghts --output-file pile.csv
# ½ m v² of two beads with 2 m/s.
is "kinetic energy of the frames" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /grains.kinetic/) k = i } END { printf "%.6f", $k }' pile.csv)" 0.005236
[ -s liggghts/job.sh ] || complain "no job script"
# Rows are in step: beads have k m/s in frame k. What is not known there is empty, not 0.
sed 's/  annotation/  Particles.BoxSensor box(low = {-1, -1, -1}, high = {1, 1, 1});\n  Particles.PartSensor scale(part = "ground");\n&/; s/Pile/Steps/g' Pile.mo >Steps.mo
sed 's/0 0 2 0 0 0 0 0 0"/0 0 $((step \/ 100)) 0 0 0 0 0 0"/' bin/liggghts >bin/steps && cat bin/steps >bin/liggghts
expect 0 "" simulate Steps.mo --quiet --engine liggghts --output-file steps.csv
is "rows of sensors and sums" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); at[$i] = i } next }
    NR <= 5 { printf "%.3f %g %.6f|", $1, $at["box.v[3]"], $at["grains.kinetic"] }' steps.csv)" "0.000 0 0.000000|0.001 1 0.001309|0.002 2 0.005236|0.003 3 0.011781|"
for name in 'scale.force[3]' scale.rubbed 'box.stress[3]' grains.damped grains.rubbed grains.stored grains.balance; do
    is "$name, which is not known" "$(awk -F, -v name="$name" 'NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); if ($i == name) k = i } } END { print (k ? $k : "missing") }' steps.csv)" ""
done
DIES_AT=200
export DIES_AT
expect 6 "*LIGGGHTS was killed before t = 0.002 s*what there is until then is kept*" simulate Pile.mo --quiet --engine liggghts --output-file cut.csv
is "rows that are kept" "$(awk -F, '$1 ~ /^[0-9]/ && $1 < 0.00101' cut.csv | wc -l)" 2
# Before its first frame nothing is recorded: no file, and no word of what is kept.
DIES_AT=100
expect 6 "*LIGGGHTS was killed before t = 0.001 s*that was its first frame, so there is no result*" simulate Pile.mo --quiet --engine liggghts --output-file none.csv
! grep -q "is kept" stderr.txt || complain "nothing is kept, but it is said: $(cat stderr.txt)"
[ ! -e none.csv ] && [ ! -e none.csv.rbj ] || complain "there is a file: $(ls none*)"
DIES_AT=200

# A full disk, where a small one can be had: frames are cut off, and the program goes on as if nothing were wrong.
if unshare -rm true 2>/dev/null && mkdir -p small && unshare -rm mount -t tmpfs -o size=40k none small 2>/dev/null; then
    cat >bin/liggghts <<'END'
#!/bin/sh
for step in 0 100 200 300; do
    printf 'ITEM: TIMESTEP\n%d\nITEM: NUMBER OF ATOMS\n2\nITEM: ATOMS id x y z\n' $step >frame.$step.txt
    for i in 2 1; do echo "$i 0.0$i 0.02 0.3 0 0 2 0 0 0 0 0 0" >>frame.$step.txt; done
    [ $step = 100 ] && cat /dev/zero >rest
done 2>/dev/null
exit 0
END
    cat >on_full_disk.sh <<'END'
mount -t tmpfs -o size=40k none small && exec "$@"
END
    unshare -rm sh on_full_disk.sh "$program" simulate Pile.mo --quiet --engine liggghts --engine-folder small --output-file full.csv >stdout.txt 2>stderr.txt
    is "exit code on a full disk" $? 6
    grep -q "the disk that 'small' is on is full; what there is until then is kept" stderr.txt || complain "full disk: $(cat stderr.txt)"
    is "rows that a full disk keeps" "$(awk -F, '$1 ~ /^[0-9]/ && $1 < 0.00101' full.csv | wc -l)" 2
fi

# Its input alone; what it cannot do; wrong options.
rm -rf liggghts
expect 0 "" simulate Pile.mo --quiet --engine liggghts --engine-input --engine-folder input
[ -s input/in.liggghts ] && [ ! -e input/frame.0.txt ] || complain "input alone: $(ls input)"
expect 2 "*no engine for particles named 'lammps': there are own and liggghts*" simulate Pile.mo --quiet --engine lammps
expect 2 "*'--ranks' is a whole number*" simulate Pile.mo --quiet --engine liggghts --ranks 0
sed 's/Particles.Grid/Particles.Rain/' Pile.mo >Rain.mo
sed -i 's/Pile/Rain/g' Rain.mo
expect 1 "*cannot compute this model: grains rain while it runs*" simulate Rain.mo --quiet --engine liggghts
sed 's/  annotation/  Particles.Belt belt(part = "ground", v_surface = {1, 0, 0});\n  annotation/; s/Pile/Belt/g' Pile.mo >Belt.mo
expect 1 "*cannot compute this model: the surface of a part is a belt*" simulate Belt.mo --quiet --engine liggghts
# mpirun refuses root: the cause is told with its remedy.
printf '#!/bin/sh\nprintf "mpirun has detected an attempt to run as root.\\n\\nwe strongly suggest otherwise\\n"\nexit 1\n' >bin/mpirun
chmod +x bin/mpirun
expect 6 "*attempt to run as root. Set OMPI_ALLOW_RUN_AS_ROOT=1 *" simulate Pile.mo --quiet --engine liggghts --ranks 2 --output-file root.csv
# Materials beyond the usual limits are requested; rolling friction is part of the law.
sed 's/youngsModulus = 5e6/youngsModulus = 2e11/; s/step = 1e-5/step = 1e-7/; s/Pile/Hard/g' Pile.mo >Hard.mo
expect 0 "" simulate Hard.mo --quiet --engine liggghts --engine-input --engine-folder hard
grep -q '^hard_particles yes' hard/in.liggghts || complain "hard particles are not requested"
! grep -q '_particles' input/in.liggghts || complain "limits are lifted without need"
sed 's/youngsModulus = 5e6/youngsModulus = 1e6/; s/Pile/Yielding/g' Pile.mo >Yielding.mo
expect 0 "" simulate Yielding.mo --quiet --engine liggghts --engine-input --engine-folder yielding
grep -q '^soft_particles yes' yielding/in.liggghts || complain "soft particles are not requested"
! grep -q rolling input/in.liggghts || complain "rolling friction in a model without it"
sed 's/, material = "Bead");/);/; s/, material = "Bead", step/, step/; s/Pile/Roll/g' Pile.mo >Roll.mo
expect 0 "*" simulate Roll.mo --quiet --engine liggghts --engine-input --engine-folder roll
is "models with rolling friction" "$(grep -c 'model hertz tangential history rolling_friction epsd2' roll/in.liggghts)" 2
grep -q '^fix m5 all property/global coefficientRollingFriction peratomtypepair 2 .* 0.0005' roll/in.liggghts || complain "rolling friction of steel: $(grep m5 roll/in.liggghts)"
# A part that is absent is no wall there either; one that comes is refused.
sed 's/  annotation/  Parts.Solid f(shape = Shapes.Box(0.1, 0.1, 0.1), present = false, fixed = true, material = "Bead");\n&/; s/Pile/Gone/g' Pile.mo >Gone.mo
expect 0 "" simulate Gone.mo --quiet --engine liggghts --engine-input --engine-folder gone
[ -s gone/wall0.stl ] && [ ! -e gone/wall1.stl ] || complain "walls of parts that are there: $(ls gone)"
finish
