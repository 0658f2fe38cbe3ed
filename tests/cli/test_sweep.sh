# label: normal
# sanitizers: full (hundreds of short runs in processes of their own)
# Sweeps: designs, what is kept, failures of single runs, kills and resumes. What the tables must hold is computed by python.
. "$(dirname "$0")/expect.sh"

cat > Decay.mo <<'EOF'
model Decay
  parameter Real k = 1;
  parameter Real a = 0;
  parameter Real c = 0;
  parameter Boolean on = true;
  Real x(start = 1, fixed = true);
equation
  der(x) = if on then -k*x else 0;
  annotation(experiment(StopTime = 1, Tolerance = 1e-9));
end Decay;
EOF

# A grid: every combination, the last parameter fastest; final values follow exp(-k).
expect 0 '10 runs, 0 failed*' sweep Decay.mo --vary k=0.5:0.5:2.5 --vary on=true,false --jobs 2 --output-file grid.csv \
    --keep x --keep 'min(x)' --keep 'max(x)' --keep 'mean(x)' --keep 'time_min(x)' --keep 'at(x, 0.5)' --keep 'when(x < 0.8)' \
    --keep end --output-interval 1e-3
python3 - <<'EOF' || complain "grid.csv"
import csv, math
rows = list(csv.DictReader(open("grid.csv")))
assert [r["run"] for r in rows] == [str(i) for i in range(1, 11)]
for i, r in enumerate(rows):
    k, on = 0.5 * (i // 2 + 1), i % 2 == 0
    assert float(r["k"]) == k and r["on"] == ("true" if on else "false"), r
    want = math.exp(-k) if on else 1
    for name, value in (("x", want), ("min(x)", want), ("max(x)", 1), ("mean(x)", (1 - want) / k if on else 1),
                        ("at(x, 0.5)", math.exp(-k / 2) if on else 1), ("time_min(x)", 1 if on else 0), ("end", 1)):
        assert abs(float(r[name]) - value) < 1e-6, (name, r[name], value)
    crosses = -math.log(0.8) / k
    if on and crosses < 1: assert abs(float(r["when(x < 0.8)"]) - crosses) < 1e-6, r
    else: assert r["when(x < 0.8)"] == "", r
    assert r["status"] == "0" and r["reason"] == ""
EOF

# Designs: one point in each share of a Latin hypercube and of 2^k points of a Sobol' sequence, in every plane of two axes of
# the first dimensions too; normal values are those of the inverse distribution.
expect 0 '*' sweep Decay.mo --vary 'k=uniform(0,1)' --vary 'a=uniform(0,1)' --vary 'c=normal(3,2)' --design lhs --runs 50 --seed 7 \
    --keep end --output-file lhs.csv
expect 0 '*' sweep Decay.mo --vary 'k=uniform(0,1)' --vary 'a=uniform(0,1)' --vary 'c=uniform(0,1)' --design sobol --runs 64 \
    --keep end --output-file sobol.csv
expect 0 '*' sweep Decay.mo --vary 'k=loguniform(0.01,100)' --runs 200 --keep end --output-file log.csv
python3 - <<'EOF' || complain "designs"
import csv, math, statistics
def column(file, name): return [float(r[name]) for r in csv.DictReader(open(file))]
normal = statistics.NormalDist(3, 2)
for u in (column("lhs.csv", "k"), column("lhs.csv", "a"), [normal.cdf(c) for c in column("lhs.csv", "c")]):
    assert sorted(int(50 * x) for x in u) == list(range(50))
assert column("lhs.csv", "k") != column("lhs.csv", "a")
s = [column("sobol.csv", n) for n in "kac"]
for u in s: assert sorted(int(64 * x) for x in u) == list(range(64))
cells = {(int(8 * x), int(8 * y)) for x, y in zip(s[0], s[1])}
assert len(cells) == 64, len(cells) # a (0, 6, 2)-net
l = [math.log10(x) for x in column("log.csv", "k")]
assert min(l) >= -2 and max(l) <= 2 and abs(statistics.mean(l)) < 4 * 4 / math.sqrt(12 * 200)
EOF

# The same table with any number of processes, from a table of values, and after kills.
printf 'k,a\n0.25,1\n"0.5",2\n' > values.csv
expect 0 '*' sweep Decay.mo --table values.csv --output-file t.csv --quiet
is "table of values" "$(tail -n 1 t.csv | cut -d, -f1-3)" "2,0.5,2"
many() { exec "$program" sweep Decay.mo --vary 'k=uniform(0,3)' --runs 600 --keep x --keep 'mean(x)' --output-file "$1" --quiet --jobs "$2" $3 2>stderr.txt; }
(many one.csv 1 "")
(many two.csv 2 "")
cmp -s one.csv two.csv || complain "1 and 2 processes give other tables"
rows() { if [ -f "$1" ]; then wc -l <"$1"; else echo 0; fi; }
# wait_for_rows FILE COUNT PID: at most 30 s, and no longer than the process lives
wait_for_rows() {
    tries=0
    while [ "$(rows "$1")" -lt "$2" ] && [ $tries -lt 3000 ] && kill -0 "$3" 2>/dev/null; do
        sleep 0.01
        tries=$((tries + 1))
    done
}
resume=
for kills in $(seq 20); do # each after at least 20 new rows, and once before there is any
    many killed.csv 2 $resume & pid=$!
    wait_for_rows killed.csv.runs $((20 * (kills - 1))) $pid
    kill -9 $pid 2>/dev/null || complain "the sweep has ended before kill $kills: $(cat stderr.txt)"
    wait $pid 2>/dev/null
    [ -e killed.csv ] && complain "there is a table after kill $kills"
    resume=--resume
done
kept=$(rows killed.csv.runs)
[ "$kept" -ge 380 ] || complain "only $kept rows after 20 kills"
mkdir killed.csv # the table cannot be written: its rows are kept
(many killed.csv 2 --resume)
is "exit code without a place for the table" $? 6
rmdir killed.csv
is "rows kept" "$(rows killed.csv.runs)" 601
(many killed.csv 2 --resume)
is "exit code of the last resume" $? 0
cmp -s one.csv killed.csv || complain "after 20 kills the table is another one: $(diff one.csv killed.csv | head -n 5; cat stderr.txt)"
for left in killed.csv.*; do [ -e "$left" ] && complain "$left is still there"; done

# Ctrl-C keeps what is finished; a new sweep does not overwrite it, another one is not mixed with it.
many stopped.csv 2 "" & pid=$!
wait_for_rows stopped.csv.runs 10 $pid
kill -INT $pid
wait $pid
is "exit code after an interrupt" $? 130
expect 2 "stopped.csv.runs: error: an earlier sweep was not finished; '--resume' continues it*" \
    sweep Decay.mo --vary 'k=uniform(0,3)' --runs 600 --keep x --keep 'mean(x)' --output-file stopped.csv
expect 2 'stopped.csv.runs: error: these rows belong to another sweep*' \
    sweep Decay.mo --vary 'k=uniform(0,3)' --runs 500 --keep x --keep 'mean(x)' --output-file stopped.csv --resume
(many stopped.csv 1 --resume)
cmp -s one.csv stopped.csv || complain "after an interrupt the table is another one"

# A run that violates an assertion, one that crashes, one that hangs: rows with their reasons.
cat > Trouble.mo <<'EOF'
model Trouble
  function crash input Real x; output Real y; external "C" y = rb_crash(x)
    annotation(Include = "#include <stdlib.h>
static double rb_crash(double x) { if (x == 2) abort(); if (x == 3) for (;;); return x; }");
  end crash;
  parameter Real p = 0;
  Real x(start = 0, fixed = true);
equation
  der(x) = crash(p);
  assert(x > -0.5, "x has left its range");
end Trouble;
EOF
expect 0 '4 runs, 3 failed*' sweep Trouble.mo --vary p=1,2,3,-1 --keep x --run-time 2 --output-file trouble.csv
is "statuses" "$(cut -d, -f4 trouble.csv | tr '\n' ' ')" "status 0 21 20 5 "
grep -q "^2,2,,21,crashed: Aborted" trouble.csv || complain "$(cat trouble.csv)"
grep -q "^3,3,,20,\"\{0,1\}stopped after 2 s, the limit of '--run-time'" trouble.csv || complain "$(cat trouble.csv)"
grep -q "x has left its range" trouble.csv || complain "$(cat trouble.csv)"

# A run that needs more memory than it may have is a row, too.
cat > Big.mo <<'EOF'
model Big
  function total input Integer n; output Real y; protected Real a[n];
  algorithm
    a := fill(1.0, n);
    y := sum(a);
  end total;
  parameter Integer n = 10;
  Real x(start = 0, fixed = true);
equation
  der(x) = total(n);
end Big;
EOF
expect 0 '3 runs, 1 failed*' sweep Big.mo --vary n=10,60000000,20 --keep x --run-memory 0.3 --output-file big.csv
is "runs that fit" "$(cut -d, -f4 big.csv | tr '\n' ' ')" "status 0 7 0 "
grep -q "needs more memory than there is.*'--run-memory'" big.csv || complain "$(cat big.csv)"

# A disk that is full (here: files may not grow) ends the sweep with a message; the rows that are there are kept for --resume.
range="--vary k=0:0.001:1 --keep x"
if (ulimit -f 2) 2>/dev/null; then
    # shellcheck disable=SC2086 # a list
    (ulimit -f 2 && exec "$program" sweep Decay.mo $range --output-file full.csv >stdout.txt 2>stderr.txt)
    is "exit code on a full disk" $? 6
    grep -q "full.csv.runs: error: cannot write" stderr.txt || complain "a full disk: $(cat stderr.txt)"
    [ -e full.csv ] && complain "there is a table on a full disk"
    # shellcheck disable=SC2086
    expect 0 '1001 runs, 0 failed*' sweep Decay.mo $range --output-file full.csv --resume
    # shellcheck disable=SC2086
    expect 0 '1001 runs, 0 failed*' sweep Decay.mo $range --output-file room.csv
    cmp -s full.csv room.csv || complain "after a full disk the table is another one"
fi

# One run of a sweep as a whole, and a table as MAT.
expect 0 'result: Decay_run2.rbj*' sweep Decay.mo --vary k=1,2 --only 2
"$program" info Decay_run2.rbj >/dev/null 2>&1 || complain "the result of one run cannot be read"
expect 0 '*table: s.mat' sweep Decay.mo --vary k=1,2 --keep x --output-file s.mat
"$program" plot s.mat k x --phase --output-file s.svg 2>stderr.txt || complain "$(cat stderr.txt)"

# Wrong input.
expect 2 "*nothing is varied*" sweep Decay.mo
expect 2 "*the model has no parameter 'q'*" sweep Decay.mo --vary q=1,2
expect 2 "*'--vary k=1:0:2': the range is empty*" sweep Decay.mo --vary k=1:0:2
expect 2 "*'--vary k=uniform(2,1)': HIGH must be greater than LOW*" sweep Decay.mo --vary 'k=uniform(2,1)'
expect 2 "*the result has no variable 'y' to keep*" sweep Decay.mo --vary k=1,2 --keep y
expect 2 "*'--keep at(x)': the second operand is missing*" sweep Decay.mo --vary k=1,2 --keep 'at(x)'
expect 2 "*'k' is varied twice*" sweep Decay.mo --vary k=1,2 --vary k=3,4
expect 6 "*none.csv*cannot read*" sweep Decay.mo --table none.csv
expect 2 "*the table is a .csv or .mat file*" sweep Decay.mo --vary k=1,2 --output-file x.txt
expect 6 "*cannot write*" sweep Decay.mo --vary k=1,2 --output-file nowhere/x.csv
finish
