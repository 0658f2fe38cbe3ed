# The commands as a user would type them.
. "$(dirname "$0")/expect.sh"

expect 0 "" --help
grep -q 'usage: rattleback COMMAND' stdout.txt || complain "--help prints no usage"
expect 0 "" --version
grep -q '^rattleback [0-9]*\.[0-9]*\.[0-9]* (build ' stdout.txt || complain "--version: $(cat stdout.txt)"
for command in simulate sweep linearize fit optimize check compare convert state export-fmu plot info dump run format lsp selftest; do
    expect 0 "" $command --help
    grep -q "usage: rattleback $command" stdout.txt || complain "$command --help prints no usage"
done
expect 0 "" selftest
is "failed self tests" "$(grep -c FAILED stdout.txt)" 0

# A run, its summary, its files.
expect 0 "done at t = 3 s: * steps, * evaluations, * state events, 0 time events, 1 segment
*state hash*
*real-time factor*
result: bouncing-ball_res.mat (* rows)" simulate bouncing-ball
[ -f bouncing-ball_res.mat ] || complain "no result"
[ ! -f bouncing-ball_res.mat.rbj ] || complain "the journal is still there"
expect 0 "" simulate bouncing-ball --quiet --output-file a.csv
is "first field" "$(head -c 6 a.csv)" '"time"'
expect 0 "" simulate bouncing-ball --quiet --output-file b.rbj --variable-filter 'ball\.(h|v)'
expect 0 "" convert b.rbj b.csv
is "filtered header" "$(head -n 1 b.csv)" '"time","ball.h","ball.v"'
expect 0 "" compare a.csv bouncing-ball_res.mat
expect 0 "" compare b.rbj a.csv --variable-filter 'ball\.[hv]'
expect 0 "" simulate bouncing-ball --quiet --output-file other.csv --override ball.e=0.6
expect 1 "" compare other.csv a.csv
grep -q 'ball.h' stdout.txt || complain "compare names no signal: $(cat stdout.txt)"
expect 0 "\[EVENTS] t = * s: ball: impact at *" simulate bouncing-ball --log EVENTS --stop-time 0.5
expect 0 '{"progress":*"time":*}*' simulate pendulum --progress json

# Same input, same bits.
expect 0 "*" simulate refined-rod --output-file r1.rbj
expect 0 "*" simulate refined-rod --output-file r2.rbj
cmp -s r1.rbj r2.rbj || complain "two runs differ"

# Information.
expect 0 "" info
grep -q 'bouncing-ball' stdout.txt || complain "info lists no examples"
grep -q '^  Rattleback.Electrical.Basic  *Ground, Resistor, ' stdout.txt || complain "info lists no classes of the library"
grep -q '^  Steel, Aluminium, ' stdout.txt || complain "info lists no materials"
expect 0 "*" simulate "$source/tests/models/Structure.mo" Structure.Caught --stop-time 3 --output-file caught.rbj
expect 0 "" convert caught.rbj copy.rbj
for file in caught.rbj copy.rbj; do
    expect 0 "" info $file
    grep -q "^  segment 1 from 0 s: 28 states, [1-9][0-9]* steps, 1 events; start$" stdout.txt &&
        grep -q "^  segment 2 from 1 s: 15 states, [1-9][0-9]* steps, [1-9] events; attach 'station' and 'probe'" stdout.txt &&
        grep -q "^  segment 3 from 2 s: .*; release 'probe'" stdout.txt ||
        complain "info does not list the segments: $(grep segment stdout.txt)"
done
expect 0 "" info Rattleback
grep -q '^  Rattleback.Electrical.Basic.Resistor  *v = R i' stdout.txt || complain "info does not describe the library"
expect 0 "" info Rattleback.Joints
grep -q '^  Rattleback.Joints.Revolute' stdout.txt || complain "info does not list a package"
grep -q 'Electrical' stdout.txt && complain "info lists other packages"
expect 0 "" info bouncing-ball
grep -q 'coefficient of restitution' stdout.txt || complain "info shows no parameters"
expect 0 "" info Rattleback.Examples.Motor
grep -q '^Rattleback.Examples.Motor: Direct current motor' stdout.txt || complain "info shows no description of a class"
grep -q '^  gear.ratio  *= 10.0' stdout.txt || complain "info shows no parameters of a class"
grep -q '^  rotor.w  *= 0.0  *rad/s' stdout.txt || complain "info shows no states of a class"
expect 6 "nowhere.mo: error: cannot open*" info nowhere.mo
# A class that is used in models: what it declares, in the library and in a file.
expect 0 "" info Rattleback.Joints.Revolute
grep -q '^model Rattleback.Joints.Revolute: Turns about an axis' stdout.txt &&
    grep -q '^  Angle  *phi_max  *= 1e10  *rad  *Upper stop$' stdout.txt &&
    grep -q '^  Frame_a  *frame_a *$' stdout.txt &&
    grep -q '^  Rotational.Interfaces.Flange_a  *axis  *Drives the joint (if useAxisFlange)$' stdout.txt &&
    grep -q '^  World  *world *$' stdout.txt || complain "info does not show a joint: $(cat stdout.txt)"
expect 0 "" info Rattleback.Types.SoftLaw
grep -q '^  *corotated  *Finite elements' stdout.txt || complain "info does not show an enumeration"
cat >Mine.mo <<'END'
package Mine
  connector Pin Real v(unit = "V"); flow Real i(unit = "A"); end Pin;
  partial model Base
    parameter Real R(unit = "Ohm") = 1 "Resistance";
    parameter Real table[2, 2] = [1, 2; 3, R], closed = 4;
    Pin p, n;
  protected
    parameter Real hidden = 2;
  end Base;
  model Part "Of mine"
    extends Base(R = 5, final closed = 7);
    Real[3] x[2](each unit = "m");
    Pinn q;
  end Part;
end Mine;
END
expect 1 "Mine.mo:13:5: error: class 'Pinn' is unknown; did you mean 'Pin'?*" info Mine.mo Mine.Part
sed -i '/Pinn/d' Mine.mo
expect 0 "" info Mine.mo Mine.Part
is "a part in a file" "$(sed 's/  */ /g; s/ $//' stdout.txt)" "model Mine.Part: Of mine

Parameters:
 Real R = 5 Ohm Resistance
 Real table[2, 2] = [1, 2; 3, R]

Connectors:
 Pin p
 Pin n

Variables and components:
 Real x[2, 3] m"
# What does not run is shown nevertheless.
printf 'model Half parameter Real a = 2 "Given"; Real x; end Half;' >Half.mo
expect 1 "Half.mo:1:*: error: 'Half' has 0 equations for 1 variable: 1 more is needed*" info Half.mo
grep -q '^  Real  *a  *= 2  *Given$' stdout.txt || complain "info shows nothing of a model that does not run"
expect 0 "" info Mine.mo Mine.Pin
grep -q '^  flow Real  *i  *A *$' stdout.txt || complain "info does not show a connector"
expect 0 "" info newtons-cradle
grep -q 'ball1 .*sphere .* kg  fixed to ball1_pivot' stdout.txt || complain "info shows no objects of a scene"
expect 0 "" info b.rbj
grep -q '^complete$' stdout.txt || complain "info of a result"
expect 0 "" dump heated-rod --stage system
grep -q 'port_a.Q_flow = G_end' stdout.txt || complain "dump shows no equations"

# The tube looks both ways: a peak that one of two curves has is a difference, whichever it is.
printf 'time,x\n0,0\n1,0.5\n2,1\n' >flat.csv
printf 'time,x\n0,0\n1,0.5\n1,0.9\n1,0.5\n2,1\n' >peak.csv
expect 1 "*" compare flat.csv peak.csv
expect 1 "*" compare peak.csv flat.csv
expect 0 "*" compare peak.csv peak.csv

# A condition that changes at the stop time (five periods of a sine, but for rounding) has its event.
cat >Stop.mo <<'END'
model Stop
  Boolean up = sin(2*3.141592653589793*50*time) > 0;
  Real entry(start = -1, fixed = true);
equation
  when up then entry = time; end when;
end Stop;
END
expect 0 "" simulate Stop.mo --stop-time 0.1 --output-file stop.csv --quiet
tail -n 1 stop.csv | grep -q '^0.1,1,0.1$' || complain "an event at the stop time: $(tail -n 1 stop.csv)"

# Another stop time leaves the interval that the model asks for.
printf 'model Rows Real x = time; annotation(experiment(StopTime = 10, Interval = 0.5)); end Rows;\n' >Rows.mo
expect 0 "" simulate Rows.mo --stop-time 2 --output-file rows.csv --quiet
is "rows at the interval of the model" "$(wc -l <rows.csv)" 6

# Checkpoint and resume: the same file.
expect 0 "*" simulate bouncing-ball --output-file c.rbj --checkpoint-interval 0.7
[ -f c.rbc ] || complain "no checkpoint"
cp c.rbj whole.rbj
expect 0 "*" simulate bouncing-ball --output-file c.rbj --checkpoint-interval 0.7 --resume c.rbc
cmp -s c.rbj whole.rbj || complain "the resumed run differs"

# The same with what external objects (tables) and delay() remember.
cat >Memory.mo <<'END'
model Memory
  Rattleback.Blocks.Sources.CombiTimeTable saw(table = [0, 0; 1, 1; 1, 3; 2, 0], extrapolation = Rattleback.Blocks.Types.Extrapolation.Periodic);
  Real x(start = 1, fixed = true);
  Real y = delay(saw.y[1], 0.35);
equation
  der(x) = -delay(x, 0.5) + y;
  annotation(experiment(StopTime = 4));
end Memory;
END
expect 0 "*" simulate Memory.mo --output-file m.rbj --checkpoint-interval 0.7
cp m.rbj whole.rbj
expect 0 "*" simulate Memory.mo --output-file m.rbj --checkpoint-interval 0.7 --resume m.rbc
cmp -s m.rbj whole.rbj || complain "the resumed run with memory differs"

# Scenes: contacts of a pair, materials of the user.
expect 0 "" info --materials
grep -q '^PTFE  *2170 ' stdout.txt && grep -q '^PTFE on Steel .* 0.04 ' stdout.txt && grep -q '^  Callister  *Callister, Rethwisch' stdout.txt || complain "info has no table of materials"
expect 0 "" simulate guided-sphere --contact ground,sphere --stop-time 0.5 --output-file pair.csv --quiet
grep -q 'contact(ground,sphere).dissipated' pair.csv || complain "no contact results"
expect 2 "*error: '--contact ground,ball': there is no object 'ball'; there are: ground, sphere*" simulate guided-sphere --contact ground,ball
expect 2 "*error: '--contact ground' is not of the form A,B*" simulate guided-sphere --contact ground
# The billiards are the Modelica model of the examples.
expect 0 "" simulate billiards --stop-time 0.01 --output-file break.csv --quiet
grep -q 'ball\[15\].r_0\[1\]' break.csv || complain "billiards are no Modelica model"
# The same for parts of a Modelica model, and restitution of materials that nobody wrote down as a parameter: after a fall through
# 0.15 m the ball returns with half its speed, and the contact lasts less than a millisecond.
cat >Drop.mo <<'MODEL'
model Drop
  import Rattleback.*;
  inner World world(g = 9.81);
  Parts.Solid floor(shape = Shapes.Box(2, 0.1, 2), r = {0, -0.05, 0}, fixed = true);
  Parts.Solid ball(shape = Shapes.Sphere(0.1), r = {0, 0.2, 0});
  annotation(experiment(StopTime = 0.3, Tolerance = 1e-8));
end Drop;
MODEL
expect 0 "" simulate Drop.mo --contact ball,floor --override contact.Steel.Steel.restitution=0.5 --output-file drop.csv --quiet
awk -F '","|,' 'NR == 1 { gsub(/^"|"$/, ""); for (i = 1; i <= NF; i++) if ($i == "ball.v_0[2]") c = i } END { t = sqrt(0.3/9.81); v = 0.5*9.81*t - 9.81*(0.3 - t); exit !($c - v < 5e-3 && v - $c < 5e-3) }' drop.csv ||
    complain "restitution of a Modelica model: $(tail -1 drop.csv)"
grep -q 'contact(ball,floor).penetration' drop.csv || complain "no contact in drop.csv"
expect 2 "*error: contact with 'flor' cannot be recorded*did you mean 'floor'?*" simulate Drop.mo --contact ball,flor
expect 2 "*error: contact with 'ceiling' cannot be recorded*; there are floor, ball *" simulate Drop.mo --contact ball,ceiling
expect 2 "*the contact of 'ball' with itself cannot be recorded*" simulate Drop.mo --contact ball,ball.frame_a
expect 2 "*'--contact ball,floor,wall' is not of the form A,B*" simulate Drop.mo --contact ball,floor,wall
expect 0 "" simulate Drop.mo --contact 'ball.shape, floor' --stop-time 0.01 --output-file typed.csv --quiet
grep -q 'contact(ball,floor).penetration' typed.csv || complain "no contact in typed.csv"
expect 2 "*'contact.Steel.Steel.restitution' is 1.5; it must be between 0 and 1*" simulate Drop.mo --override contact.Steel.Steel.restitution=1.5
expect 2 "*the world of a Modelica model names the file*" simulate Drop.mo --material-file mine.json
expect 2 "*error: --contact is for scenes, and 'bouncing-ball' is none*" simulate bouncing-ball --contact a,b
echo '{"pairs": [{"materials": ["Steel", "Steel"], "restitution": 0.7, "damping": "flores"}]}' >mine.json
expect 0 "" info --materials Steel,Steel --material-file mine.json
grep -q 'returns with 0.683 of its speed' stdout.txt || complain "the material file does not count"
expect 0 "" simulate guided-sphere --material-file mine.json --stop-time 0.5 --output-file flores.csv --quiet
[ "$(tail -n 1 pair.csv | cut -d, -f2)" != "$(tail -n 1 flores.csv | cut -d, -f2)" ] || complain "the material file does not count"

# A plugin.
"$compiler" -shared -fPIC -I "$source/include" -o spring.so "$source/examples/plugin/spring.c" || complain "cannot compile"
expect 0 "done at*" simulate Spring --plugin ./spring.so --output-file s.csv --override spring.c=400

# One that has other states while it runs, or none: four pulses of 10 s with 100 W are 4000 J.
"$compiler" -shared -fPIC -I "$source/include" -o sleeper.so "$source/examples/plugin/sleeper.c" || complain "cannot compile"
expect 0 "*14 segments*" simulate Sleeper --plugin ./sleeper.so --stop-time 1000 --checkpoint-interval 390 --output-file sleeper.rbj
hash=$(grep -o 'state hash.*' stderr.txt)
expect 0 "" info sleeper.rbj
grep -q '^  segment 4 from 353.9[0-9]* s: 0 states, .*; the heat has spread: it sleeps$' stdout.txt || complain "it does not sleep"
grep -q '^  segment 5 from 400 s: 10 states, .*; the lamp goes on$' stdout.txt || complain "it does not wake up"
expect 0 "*$hash*" simulate Sleeper --plugin ./sleeper.so --stop-time 1000 --checkpoint-interval 390 --output-file sleeper.rbj --resume sleeper.rbc
expect 0 "" convert sleeper.rbj sleeper.csv --variable-filter 'sleeper.heat'
awk -F, 'NR > 1 && $3 != "" && ($3 - $2 > 1e-6 || $2 - $3 > 1e-6) { bad = 1 } END { exit bad || $2 < 3999.999 || $2 > 4000.001 }' sleeper.csv ||
    complain "the sleeper loses heat: $(tail -n 1 sleeper.csv)"

# The hash of the summary sees what no state of the solver does: counters, grains.
hash_of() { expect 0 "*state hash*" simulate "$@" --output-file hash.rbj; grep -o 'state hash.*' stderr.txt; }
for by in 1 1 2; do
    cat >Count.mo <<EOF
model Count
  Integer k(start = 0, fixed = true);
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  when sample(0.1, 0.1) then k = pre(k) + $by; end when;
end Count;
EOF
    hash_of Count.mo
done >hashes.txt
is "hashes of counters" "$(uniq -c hashes.txt | awk '{ print $1 }' | tr '\n' ' ')" "2 1 "
for seed in 1 1 2; do
    cat >Fall.mo <<EOF
model Fall
  import Rattleback.*;
  inner World world;
  Particles.Random grains(n = 5, low = {0, 0, 0}, high = {1, 1, 1}, seed = $seed, E = 1e6);
end Fall;
EOF
    hash_of Fall.mo --stop-time 0.01
done >hashes.txt
is "hashes of grains" "$(uniq -c hashes.txt | awk '{ print $1 }' | tr '\n' ' ')" "2 1 "

# Man pages and completion.
mkdir man
expect 0 "" --write-man-pages man
is "man pages" "$(ls man | wc -l | tr -d ' ')" 25
is "man pages with ENVIRONMENT" "$(grep -l '^\.SH ENVIRONMENT$' man/* | wc -l | tr -d ' ')" 25
grep -A 2 '^\.SH EXAMPLES$' man/rattleback-compare.1 | grep -q '^\.B rattleback compare Ball.csv reference.csv$' || complain "no example of compare"
expect 0 "" --write-completion completion
bash -n completion || complain "the completion is not valid bash"
# Classes that components in C implement: another number of states without another model, and a clear word where it cannot be.
rods="$source/examples/modelica/HeatedRod.mo"
expect 0 "done at*
5 states,*" simulate "$rods" HeatedRod.Main --override rod.n=5 --output-file rod5.csv
expect 0 "done at*2 segments
8 states,*" simulate "$rods" HeatedRod.Main --override rod.n=5 --override rod.refine_time=1e4 --override rod.refine_n=8 --output-file rod8.csv
# A page and a report of one run are two files.
expect 0 "*" simulate bouncing-sphere --stop-time 0.1 --output-file both.rbj
expect 0 "both.html" view both.rbj
expect 0 "both-report.html" report both.rbj
[ -s both.html ] && [ -s both-report.html ] || complain "view and report do not write two files"

# A scene of soft bodies: what there is to set, and that it can be run.
expect 0 "" info "$source/examples/soft/box_on_ground.xml"
grep -q 'box.density *= 2500 *kg/m3' stdout.txt || complain "info does not list the materials of a scene in XML"
expect 0 "" check "$source/examples/soft/box_on_ground.xml"
grep -q 'box_on_ground: a scene of soft bodies that can be run' stdout.txt || complain "check does not know a scene in XML"
expect 6 "*cannot open*" check nowhere.xml
expect 2 "*is a scene of soft bodies, and nothing of it is translated*" dump --stage=flat "$source/examples/soft/box_on_ground.xml"
expect 1 "*error: the components 'c1', 'c2' in C own the same quantity as a state*" check "$source/examples/modelica/Capacitors.mo" Capacitors.ComponentParallel

finish
