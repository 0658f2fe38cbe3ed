# label: normal
# Wrong usage and bad files: exact messages and exit codes.
. "$(dirname "$0")/expect.sh"

cat >Start.mo <<'MODEL'
model Start
  inner Rattleback.World world;
  Rattleback.Parts.Body ball(m = 1);
end Start;
MODEL
expect 2 "rattleback: error: no command given; try \`rattleback --help\` \[usage]"
expect 2 "rattleback: error: there is no command 'juggle'; try \`rattleback --help\` \[usage]" juggle
expect 2 "rattleback: error: there is no command 'sim'; try \`rattleback --help\`; did you mean 'simulate'? \[usage]" sim Start.mo
expect 1 "rattleback: error: class 'Begin' is unknown; there is Start \[model]" simulate Start.mo Begin
expect 2 "rattleback: error: 'ball.m=1e400': '1e400' is not a finite number \[usage]" simulate Start.mo --override ball.m=1e400
expect 2 "Rattleback/Parts.mo:*: error: 'ball.r_CM' is an array; give all its elements, *, or one of them as 'ball.r_CM\[1]' \[usage]*" simulate Start.mo --override ball.r_CM=1
expect 0 "rattleback: warning: no variable matches the variable filter as a whole: *" simulate Start.mo --variable-filter nothing --quiet
expect 2 "rattleback: error: unknown option '--toleranse'; \`rattleback simulate --help\` lists all; did you mean '--tolerance'? \[usage]" \
    simulate bouncing-ball --toleranse 1
expect 2 "rattleback: error: unknown option '--interval'; \`rattleback simulate --help\` lists all; did you mean '--output-interval' or '--checkpoint-interval' or '--particle-interval'? \[usage]" \
    simulate bouncing-ball --interval 0.1
expect 2 "rattleback: error: unknown option '--output'; \`rattleback simulate --help\` lists all; did you mean '--output-interval' or '--output-file'? \[usage]" simulate bouncing-ball --output x.csv
expect 2 "rattleback: error: unknown option '--tol'; \`rattleback simulate --help\` lists all; did you mean '--tolerance'? \[usage]" simulate bouncing-ball --tol 1e-6
expect 2 "rattleback: error: unknown option '-o'; options are written in full, with two dashes; did you mean '--output-file'? \[usage]" simulate bouncing-ball -o x.csv
expect 2 "rattleback: error: unknown option '-x'; options are written in full, with two dashes \[usage]" simulate bouncing-ball -x
expect 2 "rattleback: error: option '--tolerance' needs a number, not 'tight' \[usage]" simulate bouncing-ball --tolerance tight
expect 2 "rattleback: error: option '--stop-time' needs a value: T \[usage]" simulate bouncing-ball --stop-time
expect 2 "rattleback: error: option '--quiet' takes no value \[usage]" simulate bouncing-ball --quiet=1
expect 2 "rattleback: error: too few arguments; usage: rattleback simulate MODEL \[CLASS] \[usage]" simulate
expect 2 "rattleback: error: there is no scene, example or component 'ball', and a Modelica file ends in .mo; \`rattleback info\` lists what is built in \[usage]" \
    simulate ball
expect 2 "rattleback: error: there is no scene, example or component 'billards', and a Modelica file ends in .mo; \`rattleback info\` lists what is built in; did you mean 'billiards'? \[usage]" \
    simulate billards
expect 2 "rattleback: error: there is no solver 'euler'; choose auto, cvode, islands, adams, ida, leapfrog, dp5, bs3, ck5, verner6 or fehlberg8 \[usage]" \
    simulate bouncing-ball --solver euler
expect 2 "rattleback: error: the stop time -1 s must be a number not before the start time 0 s \[usage]" simulate bouncing-ball --stop-time -1
expect 2 "rattleback: error: the tolerance is 2; it must be at least 1e-14, since numbers have 16 digits, and less than 1 \[usage]" simulate bouncing-ball --tolerance 2
expect 2 "rattleback: error: the output interval of 1e-12 s divides the run into 3e+12 parts; at most 1e+09 are possible \[usage]" simulate bouncing-ball --stop-time 3 --output-interval 1e-12
expect 2 "rattleback: error: '--override ball.e' is not of the form NAME=VALUE \[usage]" simulate bouncing-ball --override ball.e
expect 2 "rattleback: error: the model has no parameter 'ball.r_0\[1]'; its start value is 'ball.r_0.start\[1]' \[usage]" simulate Start.mo --override 'ball.r_0[1]=1'
expect 2 "rattleback: error: 'ball.e=x': 'x' is not a number \[usage]" simulate bouncing-ball --override ball.e=x
expect 2 "rattleback: error: 'bat.e' names no parameter: the components of 'bouncing-ball' are ball \[usage]" \
    simulate bouncing-ball --override bat.e=1
expect 2 "rattleback: error: component 'ball' has no parameter or input 'f'; it has: h0, v0, e, g, v_rest \[usage]" \
    simulate bouncing-ball --override ball.f=1
expect 2 "rattleback: error: 'ball.e' is 1.5; it must be between 0 and 1 \[usage]" simulate bouncing-ball --override ball.e=1.5
expect 2 "rattleback: error: 'rod.n' is 2.5; it must be a whole number \[usage]" simulate heated-rod --override rod.n=2.5
expect 2 "rattleback: error: there is no log topic 'NOISE'; there are: STATS, EVENTS, *, STRUCTURE \[usage]" simulate pendulum --log NOISE
expect 2 "rattleback: error: '--progress' is auto, json or none, not 'loud' \[usage]" simulate pendulum --progress loud
expect 3 "rattleback: error: component 'ball' cannot start at t = 0 s: the height h0 = -1 m is below the ground \[initialisation]*" \
    simulate bouncing-ball --override ball.h0=-1

# Files that are no models.
: >Empty.mo
mkdir Folder
printf 'model Latin "caf\351"\n  Real x = 1;\nend Latin;\n' >Latin.mo
printf '\357\273\277model Windows\r\n  Real x = time;\r\nend Windows;\r\n' >Windows.mo
expect 1 "Empty.mo: error: the file defines no class \[model]" check Empty.mo
expect 6 "Folder: error: this folder is no Modelica package: it has no file package.mo \[io]" check Folder
expect 6 "None.mo: error: cannot open: No such file or directory \[io]" check None.mo
expect 1 "Latin.mo:1:17: error: the file is not UTF-8: byte 0xE9 does not belong here; convert the file, for example with 'iconv -f latin1 -t utf-8' \[model]*" check Latin.mo
expect 0 "" simulate Windows.mo --quiet
expect 2 "rattleback: error: '--library /no/such/folder': there is no such folder \[usage]" check Windows.mo --library /no/such/folder

# What may be set, and to what.
cat >Set.mo <<'END'
model Set
  type Gear = enumeration(neutral, first, second);
  parameter Boolean on = false;
  parameter Integer n = 1;
  parameter Gear gear = Gear.neutral;
  parameter String name = "x";
  parameter Real p(min = 0, max = 10) = 1;
  final parameter Real two = 2;
  constant Real three = 3;
  Real follows = p*two;
  Real x(start = 1, fixed = true);
equation
  der(x) = if on and gear == Gear.second then -p else n;
end Set;
END
expect 0 "" simulate Set.mo --override on=true --override gear=second --override p=2 --quiet --output-file Set.csv
is "x" "$(printf %.3f "$(tail -n 1 Set.csv | cut -d, -f 2)")" "-1.000"
expect 0 "" simulate Set.mo --override on=1 --override gear=Gear.second --override x=3 --quiet --output-file Set.csv
is "x" "$(printf %.3f "$(tail -n 1 Set.csv | cut -d, -f 2)")" "2.000"
cat > Text.mo <<'END'
model Text
  parameter String name = "abc";
  parameter String shape = "row", ends[2] = {"a", "b"};
  final parameter String both = name + "!";
  parameter Integer n = if shape == "row" then 2 else 3;
  parameter Real p = if both == "abc!" then 1 else 2;
  Real x[n](each start = 0, each fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = if shape == "row" then p else i;
  end for;
  if shape == "column" then
    assert(time < 0.5, "too late");
  end if;
end Text;
END
expect 0 "" info Text.mo
grep -q 'name *= "abc"' stdout.txt || complain "a String is not listed: $(cat stdout.txt)"
grep -q "name .*(decides the structure: change the text)" stdout.txt && complain "a String as if it could not be set: $(cat stdout.txt)"
grep -q "shape .*(decides the structure: change the text)" stdout.txt || complain "a String as if it could be set: $(cat stdout.txt)"
expect 0 "" simulate Text.mo --quiet --output-file Text.csv
is "x" "$(printf %.3f "$(tail -n 1 Text.csv | cut -d, -f 2)")" "1.000"
expect 0 "" simulate Text.mo --override name=xyz --quiet --output-file Text.csv
is "x" "$(printf %.3f "$(tail -n 1 Text.csv | cut -d, -f 2)")" "2.000"
expect 2 "Text.mo:3:20: error: 'shape' cannot be changed after translation: *" simulate Text.mo --override shape=column
expect 2 "Text.mo:3:35: error: 'ends' cannot be set: it is an array of Strings; change the text of the model \[usage]*" simulate Text.mo --override ends=c
expect 2 "Text.mo:4:26: error: 'both' cannot be set: it is final \[usage]*" simulate Text.mo --override both=c
expect 2 "Set.mo:3:21: error: 'on' is Boolean: true or false, not 2 \[usage]*" simulate Set.mo --override on=2
expect 2 "Set.mo:4:21: error: 'n' is an Integer, and 1.5 is none \[usage]*" simulate Set.mo --override n=1.5
expect 2 "Set.mo:5:18: error: 'gear' is of the enumeration 'Set.Gear', which has 3 values; there is no number 4 \[usage]*" simulate Set.mo --override gear=4
expect 2 "rattleback: error: 'gear=third': 'third' is not a number \[usage]" simulate Set.mo --override gear=third
expect 2 "Set.mo:8:24: error: 'two' cannot be set: it is final \[usage]*" simulate Set.mo --override two=3
expect 2 "Set.mo:9:17: error: 'three' cannot be set: it is a constant \[usage]*" simulate Set.mo --override three=4
expect 2 "Set.mo:10:8: error: 'follows' cannot be set: it follows from an equation; set the parameters in it \[usage]*" simulate Set.mo --override follows=4
expect 2 "rattleback: error: the model has no parameter 'x.start'; a start value is set by the name of its variable: x \[usage]" simulate Set.mo --override x.start=4
expect 2 "rattleback: error: the model has no parameter 'geer'; did you mean 'gear'? \[usage]" simulate Set.mo --override geer=1
expect 0 "Set.mo:7:18: warning: parameter 'p' is 11, but its max is 10*" simulate Set.mo --override p=11 --quiet

# Output that cannot be written, told before the run.
expect 6 "/no/such/folder/a.mat.rbj: error: cannot write: No such file or directory \[io]" simulate pendulum --output-file /no/such/folder/a.mat
mkdir a.mat
expect 6 "a.mat: error: cannot write: it is a directory \[io]" simulate pendulum --output-file a.mat
expect 2 "a.txt: error: the ending of a result file must be .mat, .csv or .rbj \[usage]" simulate pendulum --output-file a.txt

# JSON messages.
expect 2 '{"severity":"error","code":"usage","text":"there is no solver '"'euler'"'; choose*"}' \
    simulate pendulum --message-format json --solver euler

# Plugins.
expect 2 "./none.so: error: cannot load the plugin: ./none.so: cannot open shared object file: No such file or directory \[usage]" \
    info --plugin ./none.so
echo 'int x;' >empty.c
"$compiler" -shared -fPIC -o empty.so empty.c || complain "cannot compile"
expect 2 "./empty.so: error: this is not a plugin: it does not export the function rb_plugin_component \[usage]" info --plugin ./empty.so
sed 's/RB_COMPONENT_VERSION,/999,/' "$source/examples/plugin/spring.c" >old.c
"$compiler" -shared -fPIC -I "$source/include" -o old.so old.c || complain "cannot compile"
expect 2 "./old.so: error: a component was built for version 999 of the component contract; this program has version [0-9]*. Build the plugin again with its headers \[usage]" \
    info --plugin ./old.so

# What the language has and we cannot run yet is named.
cat >External.mo <<'END'
model External
  function f
    input Real x;
    output Real y;
    external "C" y = some_function(x);
  end f;
  parameter Real p = f(2);
  Real z = p;
end External;
END
expect 3 "External.mo:7:18: error: the value of parameter 'p' cannot be computed: the external function 'External.f' needs the C function 'some_function', which is in no library that is loaded; name one by annotation(Library = ...), or give the C text by annotation(Include = ...) \[initialisation]*" \
    simulate External.mo --quiet

# Result files that are not.
expect 0 "*" simulate bouncing-ball --output-file good.rbj --stop-time 1
head -c 20 good.rbj >cut.rbj
expect 0 "cut.rbj: warning: the file ends at byte 20, inside the block that begins at byte 12; what follows is missing" info cut.rbj
grep -q '^incomplete: the journal ends at byte 20' stdout.txt || complain "a cut journal is not marked as incomplete"
tr '\000-\377' 'x' <good.rbj >garbled.rbj
expect 6 "garbled.rbj: error: not a journal of Rattleback: the mark at byte 0 is missing \[io]" info garbled.rbj
expect 0 "*" convert good.rbj good.mat
head -c 300 good.mat >cut.mat
expect 6 "cut.mat: error: the file ends at byte 300, inside the matrix 'description' of 48 by 13 numbers that begins at byte 252 \[io]" info cut.mat
expect 0 "*" convert good.rbj good.csv
printf '"time","a"\n0,1\n1\n' >short.csv
expect 6 "short.csv:3:2: error: the line has fewer than 2 fields, as many as there are names \[io]*" info short.csv
expect 6 "none.csv: error: cannot open: No such file or directory \[io]" info none.csv
# Checkpoints of another run.
printf 'model M parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end M;\n' >M.mo
expect 0 "*" simulate M.mo --output-file m.rbj --checkpoint-interval 0.3
expect 2 "m.rbc: error: the checkpoint does not fit this run: it was written with 'tolerance = 1e-06', this run has 'tolerance = 1e-05' \[usage]*" \
    simulate M.mo --output-file m.rbj --checkpoint-interval 0.3 --resume m.rbc --tolerance 1e-5
expect 2 "m.rbc: error: the checkpoint does not fit this run: it was written with 'default values', this run has 'k = 2' \[usage]*" \
    simulate M.mo --output-file m.rbj --checkpoint-interval 0.3 --resume m.rbc --override k=2
expect 2 "m.rbc: error: the checkpoint does not fit this run: it was written with 'particle interval = 0', this run has 'particle interval = 0.1' \[usage]*" \
    simulate M.mo --output-file m.rbj --checkpoint-interval 0.3 --resume m.rbc --particle-interval 0.1
expect 2 "m.rbc: error: the checkpoint does not fit this run: it was written with 'particle results = ', this run has 'particle results = place,spin' \[usage]*" \
    simulate M.mo --output-file m.rbj --checkpoint-interval 0.3 --resume m.rbc --particle-results place,spin
sed -i 's/-k\*x/-k*x*x/' M.mo
expect 2 "m.rbc: error: the checkpoint does not fit this run: the equations, functions or input signals of the model have changed since it was written \[usage]*" \
    simulate M.mo --output-file m.rbj --checkpoint-interval 0.3 --resume m.rbc
cat >Body.mo <<'END'
model Body
  function f
    input Real u;
    output Real y;
  algorithm
    y := -u;
    for i in 1:3 loop
      y := 1.0*y;
    end for;
  end f;
  function g
    input Real u;
    output Real y;
  external "C" y = own_g(u) annotation(Library = "own", LibraryDirectory = "modelica://Body/.");
  end g;
  Real x(start = 1, fixed = true);
equation
  der(x) = f(x) + g(x);
end Body;
END
echo 'double own_g(double u) { return -u; }' >own.c
"$compiler" -shared -fPIC -o libown.so own.c || complain "cannot compile"
expect 0 "" simulate Body.mo --output-file b.rbj --checkpoint-interval 0.3 --quiet
cp b.rbj again.rbj
expect 0 "" simulate Body.mo --output-file again.rbj --checkpoint-interval 0.3 --resume b.rbc --quiet
cmp -s b.rbj again.rbj || complain "a run that was resumed differs"
sed 's/1.0\*y/1.5*y/' Body.mo >Other.mo
expect 2 "b.rbc: error: the checkpoint does not fit this run: the equations, functions or input signals of the model have changed since it was written \[usage]*" \
    simulate Other.mo --output-file b.rbj --checkpoint-interval 0.3 --resume b.rbc
# A mesh that has changed.
cat >Mesh.mo <<'END'
model Mesh
  inner Rattleback.World world(g = 9.81);
  Rattleback.Parts.Mesh wedge(fileName = "wedge.obj");
end Mesh;
END
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n' >wedge.obj
expect 0 "" simulate Mesh.mo --output-file mesh.rbj --checkpoint-interval 0.3 --quiet
cp mesh.rbj again.rbj
expect 0 "" simulate Mesh.mo --output-file again.rbj --checkpoint-interval 0.3 --resume mesh.rbc --quiet
cmp -s mesh.rbj again.rbj || complain "a run with a mesh that was resumed differs"
sed -i 's/v 0 0 1/v 0 0 2/' wedge.obj
expect 2 "mesh.rbc: error: the checkpoint does not fit this run: the mesh of 'wedge' is not the one that it was written with; resume with the old file, or start the run anew \[usage]*" \
    simulate Mesh.mo --output-file mesh.rbj --checkpoint-interval 0.3 --resume mesh.rbc
echo 'double own_g(double u) { return -2*u; }' >own.c
"$compiler" -shared -fPIC -o libown.so own.c || complain "cannot compile"
expect 2 "b.rbc: error: the library '*libown.so' with external functions is not the one that the checkpoint was written with: its file has changed since then; resume with the old one, or start the run anew \[usage]*" \
    simulate Body.mo --output-file b.rbj --checkpoint-interval 0.3 --resume b.rbc
"$compiler" -shared -fPIC -I "$source/include" -o spring.so "$source/examples/plugin/spring.c" || complain "cannot compile"
expect 0 "" simulate Spring --plugin ./spring.so --output-file s.rbj --checkpoint-interval 0.3 --quiet
sed 's/a mass on/one mass on/' "$source/examples/plugin/spring.c" >spring.c
"$compiler" -shared -fPIC -I "$source/include" -o spring.so spring.c || complain "cannot compile"
expect 2 "s.rbc: error: the plugin with component 'Spring' is not the one that the checkpoint was written with: its file has changed since then; resume with the old one, or start the run anew \[usage]*" \
    simulate Spring --plugin ./spring.so --output-file s.rbj --checkpoint-interval 0.3 --resume s.rbc
head -c 100 m.rbc >cut.rbc
expect 6 "cut.rbc: error: the checkpoint is damaged or incomplete: its checksum is wrong \[io]*" \
    simulate M.mo --output-file m.rbj --checkpoint-interval 0.3 --resume cut.rbc
expect 6 "none.rbc: error: cannot open: No such file or directory \[io]*" simulate pendulum --resume none.rbc
# Another version of a library than the one that was asked for, unless the library says that it does not matter.
mkdir versions
cat >versions/Base.mo <<'END'
package Base
  model M Real x = time; end M;
  annotation(version = "2.1.0", conversion(noneFromVersion = "2.0.0"));
end Base;
END
cat >Old.mo <<'END'
model Old
  extends Base.M;
  annotation(uses(Base(version = "1.0.0")));
end Old;
END
expect 0 "Old.mo:3:19: warning: 'Old' is made for version 1.0.0 of the library 'Base', but version 2.1.0 was found (versions/Base.mo)*" \
    check Old.mo --library versions
sed 's/1.0.0/2.0.0/' Old.mo >New.mo
expect 0 "" check New.mo --library versions
# What is allowed but does nothing.
cat >Idle.mo <<'END'
model Idle
  model Part parameter Real v[2](each start = 3) = {1, 2}; parameter Real k(start = 1); Real x(start = 1); equation der(x) = v[1]*k; end Part;
  Part a(v(start = {1, 0}), k(start = 2), x(start = 5)), b(v = {2, 2}, k = 1);
end Idle;
END
expect 0 "Idle.mo:3:18: warning: 'start' of the parameter 'a.v' has no effect, since it has a value: write v = ...*" check Idle.mo
# A loop that goes through a drive.
cat >Held.mo <<'END'
model Held
  import Rattleback.*;
  inner World world;
  Joints.Revolute a(useAxisFlange = true), b;
  Parts.BodyShape x(m = 1, r = {1, 0, 0}, r_CM = {0.5, 0, 0}), y(m = 1, r = {1, 0, 0}, r_CM = {0.5, 0, 0});
  Rotational.Damper damper(d = 1);
  Rotational.Fixed fixed;
  Actions.Attach hold(a = "x", b = "y", at = 0.1);
equation
  connect(world.frame_b, a.frame_a);
  connect(a.frame_b, x.frame_a);
  connect(world.frame_b, b.frame_a);
  connect(b.frame_b, y.frame_a);
  connect(fixed.flange, damper.flange_a);
  connect(damper.flange_b, a.axis);
end Held;
END
expect 5 "*cannot attach 'x' and 'y': that closes a loop through joint 'a', which equations drive*" simulate Held.mo --output-file held.csv --quiet
finish
