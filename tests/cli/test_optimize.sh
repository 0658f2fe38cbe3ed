# label: normal
# sanitizers: full (hundreds of short runs in processes of their own)
# Optimisation over runs: methods, constraints, several starts, failures, kills and resumes, against closed forms; and formulas over signals.
. "$(dirname "$0")/expect.sh"

cat > Models.mo <<'EOT'
package Models
  model Valley "the function of Rosenbrock, reached by a motion"
    parameter Real a = 0, b = 0;
    Real x(start = 0, fixed = true), y(start = 0, fixed = true);
    output Real f = (1 - x)^2 + 100*(y - x^2)^2;
  equation
    der(x) = a;
    der(y) = b;
  end Valley;
  model Throw
    parameter Real angle = 0.3, speed = 10;
    Real x(start = 0, fixed = true), h(start = 0, fixed = true);
    Real vx(start = speed*cos(angle), fixed = true), vh(start = speed*sin(angle), fixed = true);
  equation
    der(x) = vx;
    der(h) = vh;
    der(vx) = 0;
    der(vh) = -9.81;
    when h < 0 then terminate("landed"); end when;
    annotation(experiment(StopTime = 10));
  end Throw;
  model Waves "the function of Rastrigin: a local minimum next to each pair of whole numbers"
    parameter Real a = 1, b = 2;
    Real x(start = 0, fixed = true);
    output Real f = 20 + a^2 - 10*cos(6.283185307179586*a) + b^2 - 10*cos(6.283185307179586*b);
  equation
    der(x) = 0;
    assert(a < 2, "a has left its range");
  end Waves;
  model Swing
    Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  equation
    der(x) = v;
    der(v) = -x;
    annotation(experiment(StopTime = 6.283185307179586, Tolerance = 1e-10));
  end Swing;
end Models;
EOT

"$program" optimize Models.mo Models.Valley --vary a=-1:0:1 --minimize f >stdout.txt 2>stderr.txt
grep -q "without NLopt" stderr.txt && { echo "this program was built without NLopt"; exit 0; }

# near NAME VALUE TOLERANCE: a line of the report
near() {
    awk -v name="$1" -v want="$2" -v tol="$3" 'index($0, name) == 1 { rest = substr($0, length(name) + 1); sub(/^( =|:)/, "", rest); got = rest + 0; found = 1
        d = got - want; if (d < 0) d = -d; exit !(d <= tol) } END { if (!found) exit 1 }' stdout.txt || complain "$1 is not $2 +- $3 after $command: $(cat stdout.txt)"
}
optimize() { command="$*"; expect 0 "" optimize Models.mo "$@"; }

# A narrow valley: the least value is at (1, 1). Methods from values and from gradients, local and global.
for method in bobyqa nelder-mead sbplx slsqp lbfgs direct crs isres esch; do
    optimize Models.Valley --vary a=-2:-1:2 --vary b=-1:1:3 --minimize f --method $method --jobs 2 --output-file v.csv
    near a 1 2e-3
    near b 1 4e-3
done
[ "$(grep -c . v.csv)" -gt 100 ] || complain "the table has $(grep -c . v.csv) rows"

# A throw under a ceiling of 2 m lands farthest at sin(angle) = sqrt(4 g)/v; the slowest throw that lands at 7 m leaves at 45 degrees.
optimize Models.Throw --vary angle=0:0.3:1.5 --maximize x --subject-to 'max(h) <= 2'
near angle 0.676952 1e-5
near x 9.95485 1e-4
optimize Models.Throw --vary angle=0:0.3:1.5 --vary speed=1:10:20 --minimize speed --subject-to 'x == 7' --method slsqp
near angle 0.785398 1e-3
near speed 8.286736 1e-5

# Many local minima: several searches at once find the best, and the table does not depend on the number of processes. Runs that fail cost nothing more.
optimize Models.Waves --vary a=-1.4:1.1:2.2 --vary b=-1.4:1.9:2.3 --minimize f --starts 30 --jobs 2 --output-file two.csv
near f 0 1e-6
near a 0 1e-4
grep -q "a has left its range" two.csv || complain "no run has failed"
optimize Models.Waves --vary a=-1.4:1.1:2.2 --vary b=-1.4:1.9:2.3 --minimize f --starts 30 --jobs 1 --output-file one.csv
cmp -s one.csv two.csv || complain "1 and 2 processes give other tables"
optimize Models.Waves --vary a=-1.4:1.1:2.2 --vary b=-1.4:1.9:2.3 --minimize f --target 5 --output-file target.csv
grep -q "the target is reached" stdout.txt || complain "target: $(cat stdout.txt)"

# Killed and resumed, it takes the same way.
again() { exec "$program" optimize Models.mo Models.Waves --vary a=-1.4:1.1:2.2 --vary b=-1.4:1.9:2.3 --minimize f --starts 30 --output-file killed.csv --quiet $1 >killed.txt 2>stderr.txt; }
resume=
for rows in 20 100 300; do
    again $resume & pid=$!
    tries=0
    while [ "$(cat killed.csv.runs 2>/dev/null | wc -l)" -lt $rows ] && [ $tries -lt 3000 ] && kill -0 $pid 2>/dev/null; do
        sleep 0.01
        tries=$((tries + 1))
    done
    kill -9 $pid 2>/dev/null || complain "the search has ended before it was killed: $(cat stderr.txt)"
    wait $pid 2>/dev/null
    resume=--resume
done
(again --resume) || complain "resume: $(cat stderr.txt)"
cmp -s one.csv killed.csv || complain "after three kills the table is another one"

# Formulas over a cosine and a sine.
expect 0 '*' sweep Models.mo Models.Swing --vary x=1 --output-file swing.csv --output-interval 1e-3 --keep 'rms(x)' --keep 'integral(x^2 + v^2)' \
    --keep 'max(abs(x - v))' --keep 'mean((x - mean(x))^2)' --keep '2*at(x, pi/2 + 1) - -3' --keep 'min(max(x), 0.5)' --keep 'when(x*v > 0)' --keep '"x"/time'
python3 - <<'EOT' || complain "formulas: $(cat swing.csv)"
import csv, math
row = next(csv.DictReader(open("swing.csv")))
for name, want in (("rms(x)", math.sqrt(0.5)), ("integral(x^2 + v^2)", 2 * math.pi), ("max(abs(x - v))", math.sqrt(2)), ("mean((x - mean(x))^2)", 0.5),
                   ("2*at(x, pi/2 + 1) - -3", 2 * math.cos(math.pi / 2 + 1) + 3), ("min(max(x), 0.5)", 0.5), ("when(x*v > 0)", math.pi / 2), ('"x"/time', 1 / (2 * math.pi))):
    assert abs(float(row[name]) - want) < 2e-6, (name, row[name], want)
EOT

# Wrong input.
expect 2 "*name what may vary*" optimize Models.mo Models.Throw --minimize x
expect 2 "*either '--minimize FORMULA' or '--maximize FORMULA'*" optimize Models.mo Models.Throw --vary angle=0:0.3:1
expect 2 "*'--vary angle=1:0:2' is not of the form*" optimize Models.mo Models.Throw --vary angle=1:0:2 --minimize x
expect 2 "*there is no method 'cobila'*did you mean 'cobyla'*" optimize Models.mo Models.Throw --vary angle=0:0.3:1 --minimize x --method cobila
expect 2 "*method 'crs' does not take such constraints*" optimize Models.mo Models.Throw --vary angle=0:0.3:1 --minimize x --method crs --subject-to 'h >= 0'
expect 2 "*there is no <=, >= or ==*" optimize Models.mo Models.Throw --vary angle=0:0.3:1 --minimize x --subject-to 'h < 0'
expect 2 "*no variable 'y' to keep*" optimize Models.mo Models.Throw --vary angle=0:0.3:1 --minimize y
expect 2 "*'--minimize max(x + )': a value is missing before ')'*" optimize Models.mo Models.Throw --vary angle=0:0.3:1 --minimize 'max(x + )'
expect 4 "*no run of * holds all constraints*" optimize Models.mo Models.Throw --vary angle=0.1:0.3:1 --minimize x --subject-to 'max(h) <= -1'
finish
