# One run for every exit code of the table in `rattleback --help`.
. "$(dirname "$0")/expect.sh"

model() { printf '%s\n' "$2" >"$1.mo"; }
model Good "model Good Real x(start = 1, fixed = true); equation der(x) = -x; end Good;"
model Wrong "model Wrong Real x; equation der(x) = y; end Wrong;"
model NoStart "model NoStart Real x(start = 1); equation x*x = -1; end NoStart;"
model Pole "model Pole Real x(start = 1, fixed = true); equation der(x) = x*x; end Pole;"
model Limit 'model Limit Real x(start = 0, fixed = true); equation der(x) = 1; assert(x < 0.5, "x is too large"); end Limit;'

expect 0 "" simulate Good.mo --quiet
expect 1 "Wrong.mo:1:39: error: 'y' is unknown \[model]*" simulate Wrong.mo
expect 2 "rattleback: error: unknown option *" simulate Good.mo --fast
expect 3 "*\[initialisation]*" simulate NoStart.mo --quiet
expect 4 "*\[solver]*" simulate Pole.mo --stop-time 2 --quiet
expect 5 "*x is too large*\[assertion]*" simulate Limit.mo --quiet
expect 6 "none.csv: error: cannot open: No such file or directory \[io]" info none.csv

# What was computed before a failure is kept and marked.
expect 0 "" info Pole_res.mat.rbj
grep -q '^incomplete: solver' stdout.txt || complain "Pole: $(head -n 2 stdout.txt)"
[ -s Pole_res.mat ] || complain "no result up to the failure"
for kind in mat csv; do
    expect 4 "*" simulate Pole.mo --stop-time 2 --quiet --output-file "pole.$kind"
    expect 0 "" info "pole.$kind"
    grep -q '^complete$' stdout.txt && complain "a failed run is called complete in pole.$kind"
done
expect 0 "" convert pole.mat again.mat
expect 0 "" info again.mat
grep -q '^incomplete: solver' stdout.txt || complain "converted: $(head -n 2 stdout.txt)"

# What has no value ends the run; message and summary name the same time.
model Root "model Root Real x = sqrt(0.305 - time); end Root;"
expect 4 "Root.mo:*: error: time 0.305 s: 'x' cannot be computed: *\[solver]*ended at t = 0.305 s:*" simulate Root.mo

# Full disks.
if [ -w /dev/full ]; then
    "$program" info >/dev/full 2>stderr.txt
    is "exit code with a full standard output" $? 6
    is "message" "$(cat stderr.txt)" "rattleback: error: cannot write to the standard output: No space left on device [io]"
    ln -s /dev/full full.rbj
    expect 6 "full.rbj: error: cannot write: No space left on device \[io]*" simulate pendulum --output-file full.rbj
    ln -s /dev/full late.mat
    expect 6 "*late.mat: error: cannot write: No space left on device \[io]
late.mat.rbj: note: what was recorded stays in this journal: \`rattleback convert\` makes the result from it" simulate pendulum --output-file late.mat
    expect 0 "" convert late.mat.rbj later.mat
fi
# Not under sanitizers, whose shadow memory needs more than any limit.
if (ulimit -v 400000 && "$program" --version) >/dev/null 2>&1; then
    (ulimit -v 400000 && "$program" simulate heated-rod --override rod.n=1000000 --quiet >/dev/null 2>stderr.txt)
    is "exit code without memory" $? 7
    is "message" "$(cat stderr.txt)" "rattleback: error: there is not enough memory [memory]"
fi
finish
