# What a first user, a careless one and a hostile one try: help anywhere, pipes, two runs at once, bad starts, extreme options.
. "$(dirname "$0")/expect.sh"

cat >Decay.mo <<'END'
model Decay
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Decay;
END

# Results go where links lead, also to files that do not exist yet; links and devices stay.
mkdir disk links
for kind in mat csv rbj; do
    ln -s "../disk/res.$kind" "links/res.$kind"
    for run in first second; do
        expect 0 "" simulate Decay.mo --quiet --output-file "links/res.$kind"
        [ -L "links/res.$kind" ] && [ -s "disk/res.$kind" ] || complain "the $run result behind a link: $(ls -l links disk)"
    done
    expect 0 "" convert "links/res.$kind" "links/res.$kind"
    [ -L "links/res.$kind" ] || complain "convert replaces a link"
done
is "files beside links" "$(ls links | tr '\n' ' ')" "res.csv res.mat res.rbj "
if mknod null.rbj c 1 3 2>/dev/null && : >null.rbj; then # as root, outside of a container
    expect 0 "" simulate Decay.mo --quiet --output-file null.rbj
    [ -c null.rbj ] || complain "a run deletes a device"
fi

# Help is where it is looked for.
expect 0 "" -h
expect 0 "" simulate -h
is "help of a command" "$(head -n 1 stdout.txt)" "usage: rattleback simulate MODEL [CLASS] [options]"
expect 0 "" help simulate
is "help COMMAND" "$(head -n 1 stdout.txt)" "usage: rattleback simulate MODEL [CLASS] [options]"
expect 2 "rattleback: error: there is no command 'simulat'; try \`rattleback --help\`; did you mean 'simulate'? \[usage]" simulat Decay.mo
expect 2 "rattleback: error: there is no command 'polt'; try \`rattleback --help\`; did you mean 'plot'? \[usage]" help polt

# Standard input and output are files.
"$program" simulate - --output-file - --quiet <Decay.mo >out.csv || complain "a model from the standard input: exit code $?"
is "rows on the standard output" "$(wc -l <out.csv)" 502
"$program" plot - x --output-file - <out.csv | grep -q '</svg>' || complain "no picture on the standard output"
"$program" convert - out.mat <out.csv || complain "convert from the standard input: exit code $?"
"$program" convert out.mat - | cmp -s - out.csv || complain "CSV on the standard output differs"
is "files left" "$(echo Decay_res*)" "Decay_res*"

# A machine reads one line of JSON, and nothing but JSON where messages are JSON.
expect 0 "" simulate Decay.mo --summary json
case "$(cat stdout.txt)" in
    '{"summary":{"complete":true,"time":1,'*'"states":1,'*'"result":"Decay_res.mat"}}') ;;
    *) complain "the summary as JSON: $(cat stdout.txt)" ;;
esac
"$program" simulate Decay.mo --message-format json --log SOLVER,STATS 2>stderr.txt
grep -v '^{.*}$' stderr.txt && complain "text between JSON messages"
expect 2 "*'--summary' is text, json or none, not 'xml'*" simulate Decay.mo --summary xml

# Pipes do not hang, and are not replaced by files.
mkfifo pipe.mo pipe.csv
expect 6 "pipe.mo: error: cannot read: it is a pipe or a device; use '-' for the standard input \[io]" check pipe.mo
expect 6 "pipe.csv: error: cannot read: it is a pipe or a device; use '-' for the standard input \[io]" info pipe.csv
cat pipe.csv >copy.csv &
"$program" simulate Decay.mo --quiet --output-file pipe.csv || complain "a result into a pipe: exit code $?"
wait
is "rows through the pipe" "$(wc -l <copy.csv)" 502
[ -p pipe.csv ] || complain "the pipe was replaced by a file"

# Two runs do not write to one file.
expect 0 "" simulate Decay.mo --quiet
cp Decay_res.mat good.mat
flock Decay_res.mat.rbj "$program" simulate Decay.mo --quiet 2>stderr.txt
is "exit code of the second run" $? 6
case "$(cat stderr.txt)" in
    "Decay_res.mat.rbj: error: another run is writing this file; wait for it, or give this run a file of its own ('--output-file', or journal_file in C) [io]") ;;
    *) complain "the second run said: $(cat stderr.txt)" ;;
esac
flock Decay_res.mat.rbj "$program" simulate Decay.mo --quiet --output-file other.mat || complain "another name: exit code $?"
rm -f Decay_res.mat.rbj

# The journal of a run whose result is another file does not take the place of a result of the same name, whether it is
# removed, kept for checkpoints or left behind by a failure.
expect 0 "" simulate Decay.mo --quiet --output-file both.rbj
cp both.rbj before
for ending in csv mat; do
    expect 0 "" simulate Decay.mo --quiet --output-file "both.$ending" --tolerance 1e-3
    cmp -s before both.rbj || complain "a run to both.$ending has changed both.rbj"
    is "journal of both.$ending" "$(echo both.$ending.*)" "both.$ending.*"
    expect 0 "" simulate Decay.mo --quiet --output-file "both.$ending" --checkpoint-interval 0.3
    cmp -s before both.rbj || complain "a run to both.$ending with checkpoints has changed both.rbj"
    expect 0 "" simulate Decay.mo --quiet --output-file "both.$ending" --checkpoint-interval 0.3 --resume both.rbc
    expect 0 "" info "both.$ending.rbj"
    rm "both.$ending.rbj"
done
sed 's/= -x/= -x; assert(time < 0.5, "too late")/' Decay.mo >Late.mo
expect 5 "*too late*" simulate Late.mo --quiet --output-file both.csv
cmp -s before both.rbj || complain "a run to both.csv that failed has changed both.rbj"
expect 0 "" info both.csv.rbj
"$program" simulate Decay.mo --quiet --output-file - >/dev/null
is "journal of the standard output" "$(echo Decay_res*.rbj)" "Decay_res*.rbj"

# A run that cannot start leaves the earlier result alone, in every format.
sed 's/= -x/= -x; assert(x > 2, "too small")/' Decay.mo >Worse.mo
for ending in mat csv rbj; do
    expect 0 "" simulate Decay.mo --quiet --output-file "kept.$ending"
    cp "kept.$ending" before
    expect 5 "*too small*" simulate Worse.mo --quiet --output-file "kept.$ending"
    cmp -s before "kept.$ending" || complain "a failed start has changed kept.$ending"
done
expect 5 "*too small*" simulate Worse.mo --quiet --output-file new.mat
is "files of a failed start" "$(echo new*)" "new*"

# Links of others are not followed (only root can make one here).
mkdir shared && echo precious >precious.txt
ln -s ../precious.txt shared/x.mat.part
expect 0 "" simulate Decay.mo --quiet --output-file shared/x.mat
is "behind a planted draft" "$(cat precious.txt)" precious
ln -s ../precious.txt shared/x.mat.rbj
if chown -h 1:1 shared/x.mat.rbj 2>/dev/null; then
    expect 6 "shared/x.mat.rbj: error: cannot write: it is a symbolic link that belongs to somebody else \[io]" \
        simulate Decay.mo --quiet --output-file shared/x.mat
    is "behind a link" "$(cat precious.txt)" precious
fi

# Results know their model and the names of their values, and a picture shows a part of the time.
cat >Lamp.mo <<'END'
model Lamp
  type Mode = enumeration(dark, bright);
  Mode mode = if time < 0.5 then Mode.dark else Mode.bright;
  Boolean on = mode == Mode.bright;
end Lamp;
END
expect 0 "" simulate Lamp.mo --quiet
expect 0 "" info Lamp_res.mat
grep -q "model 'Lamp'" stdout.txt || complain "a MAT file does not know its model: $(cat stdout.txt)"
expect 0 "" plot Lamp_res.mat mode on --start-time 0.4 --stop-time 0.6
expect 2 "rattleback: error: a plot is written as .svg, .png or .pdf, not as 'lamp.eps'*" plot Lamp_res.mat mode --output-file lamp.eps
[ ! -e lamp.eps ] || complain "a file lamp.eps that is no plot"
expect 0 "" plot Lamp_res.mat mode --dark --output-file dark.svg
grep -q '@media all{' dark.svg || complain "a dark plot is dark in dark pages only"
cp Lamp_res.mat other.mat
expect 0 "" plot Lamp_res.mat other.mat mode --output-file two.svg
grep -q '>mode (Lamp_res)<' two.svg || complain "two runs are not named"
grep -q '>mode (other)<' two.svg || complain "the second run is not named"
expect 2 "*differences are drawn of two results*" plot Lamp_res.mat other.mat mode --compare other.mat --output-file two.svg
printf 'time,x\n0,1\n1,2\n' >dark.csv
expect 2 "*there is no variable 'mode'*" plot Lamp_res.mat dark.csv mode
for word in '<title>Lamp<' '>dark<' '>bright<' '>false<' '>true<' '>0.50<'; do
    grep -q "$word" Lamp_res.svg || complain "the picture does not show $word"
done
grep -q '>0.7' Lamp_res.svg && complain "the picture shows more than it should"

# A model may say that it ends where it starts.
cat >Still.mo <<'END'
model Still
  Real x(start = 3, fixed = true);
equation
  der(x) = 1;
  annotation(experiment(StopTime = 0));
end Still;
END
expect 0 "" simulate Still.mo --quiet --output-file -
is "the rows of a run of no length" "$(tail -n +2 stdout.txt)" 0,3,1

# Reductions over many elements are no nests: the sum of 30000 times the time integrates to 15000.
cat >Sums.mo <<'END'
model Sums
  Real x(start = 0, fixed = true);
  Real y[30000] = {i*time for i in 1:30000};
  Real biggest = max(y), total = sum(y), product = y*y;
equation
  der(x) = sum(fill(time, 30000));
end Sums;
END
expect 0 "" simulate Sums.mo --quiet --output-file - --variable-filter 'x|biggest|total|product' --output-interval 1
is "a sum of 30000" "$(tail -n 1 stdout.txt | awk -F, '{ printf "%.2f %g %g %.4e", $2, $3, $4, $5 }')" \
    "15000.00 30000 4.50015e+08 9.0005e+12"

# Regular expressions that would fill the memory, and samples that are none or come too often.
expect 2 "*the variable filter 'a{1,30000}' repeats a part more than 1000 times; use \* or +*" simulate Decay.mo --variable-filter 'a{1,30000}'
expect 2 "*repeats a part more than 1000 times*" convert good.mat x.csv --variable-filter '((x{50}){50}){50}'
expect 0 "" simulate Decay.mo --quiet --variable-filter 'x{1}|\{99999\}' --output-file x.csv
for sample in 'p/p, 0.1' '0, p' '0, 1e-300' '0, 1e-12' '-1e300, 1'; do
    printf 'model Clock\n  parameter Real p = 0;\n  Real x(start = 0, fixed = true);\nequation\n  der(x) = 1;\n' >Clock.mo
    printf '  when sample(%s) then reinit(x, 0); end when;\nend Clock;\n' "$sample" >>Clock.mo
    case $sample in
        p/p*) expect 3 "Clock.mo:6:*error: the start of sample() is *nan; it must be a time \[initialisation]*" simulate Clock.mo ;;
        '0, p') expect 3 "Clock.mo:6:*error: the interval of sample() is 0 s; it must be positive \[initialisation]*" simulate Clock.mo ;;
        *1e-300) expect 3 "Clock.mo:6:*error: the interval of sample() is 1e-300 s; it must be at least 1e-18*" simulate Clock.mo ;;
        -1e300*) expect 3 "Clock.mo:6:*error: sample() with an interval of 1 s fires 1e+300 times before the start*" simulate Clock.mo ;;
        *) expect 4 "*the last 1000 time events took *: look for an interval of sample() that is too small*" simulate Clock.mo ;;
    esac
done

# Many modifications of one component: each reaches its element, also dotted and redeclared ones.
{
    echo 'model Part parameter Real q = 0; end Part; model Other extends Part(q = 7); end Other;'
    echo 'model Many'
    echo '  model Inner'
    for i in $(seq 1 40); do echo "    parameter Real p$i = 0;"; done
    echo '    replaceable Part part; Part second; end Inner;'
    printf '  Inner a(redeclare Other part, second.q = 5'
    for i in $(seq 1 40); do printf ', p%d = %d' "$i" "$((i * i))"; done
    echo ');'
    echo '  Real x = time + a.p1 + a.p20 + a.p40, y = time + a.part.q + a.second.q;'
    echo 'end Many;'
} >Many.mo
expect 0 "" simulate Many.mo --quiet --output-file - --variable-filter 'x|y' --output-interval 1
is "x and y" "$(tail -n 1 stdout.txt)" "1,2002,13"

# C code of others runs only if it may, and objects come from a folder of our own.
cat >Foreign.mo <<'END'
model Foreign
  function f
    input Real u;
    output Real y;
  external "C" y = twice(u) annotation(Include = "static double twice(double u) { return 2*u; }");
  end f;
  Real x = f(time);
end Foreign;
END
XDG_CACHE_HOME=$folder/cache && export XDG_CACHE_HOME
expect 3 "Foreign.mo:2:12: error: time 0 s: the function 'Foreign.f' is C code of its own, which may do anything on this computer and is forbidden by '--no-external', and in FMUs \[initialisation]*" \
    simulate Foreign.mo --no-external
mkdir -p cache/rattleback && chmod 777 cache/rattleback
expect 0 "" simulate Foreign.mo --quiet
is "the cache folder" "$(stat -c %a cache/rattleback)" 755
if chown 1:1 cache/rattleback 2>/dev/null; then
    expect 3 "*the folder '*cache/rattleback' for compiled models belongs to somebody else, so that nothing is loaded from it; set XDG_CACHE_HOME to a folder of your own*" \
        simulate Foreign.mo --quiet
fi
unset XDG_CACHE_HOME

# Extreme options are refused, not tried.
expect 2 "*the tolerance is 1e-300; it must be at least 1e-14*" simulate Decay.mo --tolerance 1e-300
expect 2 "*the maximum step of 1e-300 s divides the run into 1e+300 parts; at most 1e+10 are possible*" simulate Decay.mo --max-step 1e-300
expect 2 "*the initial step is inf s; it must be a number, and not negative*" simulate Decay.mo --initial-step inf
expect 2 "*the checkpoint interval of 1e-30 s divides*" simulate Decay.mo --checkpoint-interval 1e-30

# A package is no model, but says which models it has; a model is found under its whole name.
mkdir Elec
printf 'package Elec\nend Elec;\n' >Elec/package.mo
printf 'within Elec;\nmodel RC\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\nend RC;\n' >Elec/RC.mo
expect 1 "*error: 'Elec' is a package; only a model or block can be simulated; in it there is Elec.RC: name one of them after the file*" simulate Elec
expect 1 "*error: class 'RC' is unknown; did you mean 'Elec.RC'? \[model]" simulate Elec RC
expect 0 "" simulate Elec Elec.RC --quiet

# A pendulum that is hung before a wall passes through it, since both hang on the world: that is said.
cat >Wall.mo <<'END'
model Wall
  parameter Boolean touch = false;
  inner Rattleback.World world(g = 9.81, n = {0, -1, 0});
  Rattleback.Joints.Revolute hinge(canCollide = touch, phi(start = 1, fixed = true));
  Rattleback.Parts.FixedTranslation rod(r = {0, -1, 0}), place(r = {-0.3, 0, 0});
  Rattleback.Parts.Solid bob(shape = Rattleback.Shapes.Sphere(0.1));
  Rattleback.Parts.Solid wall(shape = Rattleback.Shapes.Box(0.1, 4, 1));
equation
  connect(world.frame_b, hinge.frame_a);
  connect(hinge.frame_b, rod.frame_a);
  connect(rod.frame_b, bob.frame_a);
  connect(world.frame_b, place.frame_a);
  connect(place.frame_b, wall.frame_a);
end Wall;
END
expect 0 "Wall.mo:7:26: warning: 'bob' would go through 'wall': it hangs on the world by a joint*canCollide*" simulate Wall.mo --quiet --stop-time 0.1
expect 0 "" simulate Wall.mo --quiet --stop-time 0.1 --override touch=true
sed 's/r = {-0.3, 0, 0}/r = {-1.3, 0, 0}/' Wall.mo >Far.mo # where the bob does not come
expect 0 "" simulate Far.mo --quiet --stop-time 0.1
# A belt carries what touches by convex shapes.
cat >Carried.mo <<'END'
model Carried
  inner Rattleback.World world(n = {0, 0, -1});
  Rattleback.Parts.Solid plate(shape = Rattleback.Shapes.Box(4, 1, 0.1), r = {0, 0, -0.05}, fixed = true);
  Rattleback.Particles.Belt belt(part = "plate", v_surface = {1, 0, 0});
  Rattleback.Parts.Workpiece part(mesh = Rattleback.Solids.Box({0.2, 0.2, 0.1}));
end Carried;
END
expect 0 "Carried.mo:4:29: warning: 'belt' does not carry 'part', which touches by its mesh*" simulate Carried.mo --quiet --stop-time 0.01

# A joint that closes a loop at the world counts as well: a slider that goes through its end stop.
cat >Stop.mo <<'END'
model Stop
  inner Rattleback.World world(gravity = {0, 0, -9.81});
  Rattleback.Joints.Revolute crank(n = {0, 1, 0}, phi(start = 1.5, fixed = true), w(start = -3, fixed = true)), knee(n = {0, 1, 0}), wrist(n = {0, 1, 0});
  Rattleback.Parts.BodyShape arm(r = {0.1, 0, 0}, m = 0.3, I_22 = 3e-4), rod(r = {0.3, 0, 0}, m = 0.4, I_22 = 3e-3);
  Rattleback.Joints.Prismatic slide(n = {1, 0, 0});
  Rattleback.Parts.Solid piston(shape = Rattleback.Shapes.Box(0.05, 0.05, 0.05));
  Rattleback.Parts.Solid stop(shape = Rattleback.Shapes.Box(0.02, 0.1, 0.1), r = {0.43, 0, 0}, fixed = true);
equation
  connect(world.frame_b, crank.frame_a);
  connect(crank.frame_b, arm.frame_a);
  connect(arm.frame_b, knee.frame_a);
  connect(knee.frame_b, rod.frame_a);
  connect(rod.frame_b, wrist.frame_a);
  connect(wrist.frame_b, slide.frame_b);
  connect(world.frame_b, slide.frame_a);
  connect(slide.frame_b, piston.frame_a);
end Stop;
END
expect 0 "*Stop.mo:7:26: warning: 'piston' would go through 'stop': it hangs on the world by a joint*canCollide*" simulate Stop.mo --quiet --stop-time 0.01

cat >Ground.mo <<'END'
model Ground
  parameter Real height = 0.5;
  inner Rattleback.World world(gravity = {0, 0, -9.81});
  Rattleback.Parts.Solid ground(shape = Rattleback.Shapes.HalfSpace(3), fixed = true);
  Rattleback.Parts.Fixed pivot(r = {0, 0, height});
  Rattleback.Joints.Revolute hinge(n = {0, 1, 0});
  Rattleback.Parts.Solid arm(shape = Rattleback.Shapes.Box(0.2, 0.02, 0.02), r_shape = {0.1, 0, 0});
equation
  connect(pivot.frame_b, hinge.frame_a);
  connect(hinge.frame_b, arm.frame_a);
end Ground;
END
expect 0 "" simulate Ground.mo --quiet --stop-time 0.1
expect 0 "*warning: 'arm*' would go through 'ground'*" simulate Ground.mo --quiet --stop-time 0.1 --override height=0.15

finish
