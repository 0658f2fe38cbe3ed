# label: normal
# Pictures of tables and results of a sweep, its report page, and pictures of linear systems: marks are counted, and stand where the values say.
. "$(dirname "$0")/expect.sh"

cat > Decay.mo <<'EOT'
model Decay
  parameter Real k = 1, x0 = 1;
  Real x(start = x0, fixed = true);
equation
  der(x) = -k*x;
  assert(k < 2.9, "k has left its range");
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end Decay;
EOT
cat > Motor.mo <<'EOT'
model Motor
  input Real u;
  Real i(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  2e-3*der(i) = u - 0.5*i - 0.1*w;
  1e-3*der(w) = 0.1*i - 1e-4*w;
end Motor;
EOT
count() { grep -o "$1" "$2" | wc -l | tr -d ' '; }

# Five good runs and one that fails: five points in each panel and a line; two parameters: a curve for each value of the second.
expect 0 '*' sweep Decay.mo --vary k=0.5:0.5:3 --keep x --keep 'mean(x)' --output-file one.csv
expect 0 "" plot one.csv k x 'mean(x)' --output-file one.svg
is "points" "$(count '<circle' one.svg)" 10
is "lines" "$(count '<path fill="none"' one.svg)" 2
expect 0 '*' sweep Decay.mo --vary k=0.5:0.5:2.5 --vary x0=1,2,4 --keep x --results runs --output-file two.csv --report two.html
expect 0 "" plot two.csv k x --by x0 --title 'What is left' --output-file two.svg
is "points" "$(count '<circle' two.svg)" 15
is "curves" "$(count '<path fill="none"' two.svg)" 3
grep -q 'What is left' two.svg || complain "the title is missing"
python3 - <<'EOT' || complain "two.svg"
import math, re
points = [(float(a), float(b)) for a, b in re.findall(r'<circle cx="([-\d.]+)" cy="([-\d.]+)"', open("two.svg").read())]
want = [(k, x0 * math.exp(-k)) for x0 in (1, 2, 4) for k in (0.5, 1, 1.5, 2, 2.5)]
def scale(i, a, b): return (points[b][i] - points[a][i]) / (want[b][i] - want[a][i])
sx, sy = scale(0, 0, 4), scale(1, 4, 10)
for p, w in zip(points, want):
    assert abs(p[0] - points[0][0] - sx * (w[0] - 0.5)) < 0.02 and abs(p[1] - points[0][1] - sy * (w[1] - want[0][1])) < 0.02, (p, w)
EOT

# All against all: histograms on the diagonal. Bars hold all runs.
expect 0 '*' sweep Decay.mo --vary 'k=uniform(0.5,2.5)' --vary 'x0=normal(1,0.1)' --design lhs --runs 100 --keep x --output-file many.csv
expect 0 "" plot many.csv --matrix --output-file matrix.svg
is "points" "$(count '<circle' matrix.svg)" 600
is "bars" "$(count 'fill-opacity="0.7"' matrix.svg)" 30
expect 0 "" plot many.csv k --histogram --output-file histogram.svg
python3 - <<'EOT' || complain "histogram.svg"
import csv, re
bars = [float(h) for h in re.findall(r'height="([\d.]+)" fill="currentColor"', open("histogram.svg").read())]
k = [float(r["k"]) for r in csv.DictReader(open("many.csv"))]
low, width = min(k), (max(k) - min(k)) / 10
want = [0] * 10
for v in k: want[min(9, int((v - low) / width))] += 1
assert len(bars) == 10 and all(abs(b / max(bars) - w / max(want)) < 1e-3 for b, w in zip(bars, want)), (bars, want)
EOT

# Kept results: bands and the median, or each; the page has them all, and a link for each run.
expect 0 "" plot runs x --output-file bands.svg
is "bands" "$(count 'Z"/>' bands.svg)" 2
expect 0 "" plot runs x --each --output-file each.svg
is "lines" "$(count '<path fill="none"' each.svg)" 15
is "rows of the page" "$(count '<tr><td>' two.html)" 15
is "links" "$(count '<a href="runs/[0-9]*.html">' two.html)" "$(ls runs/*.html 2>/dev/null | wc -l | tr -d ' ')"
grep -q 'The runs side by side' two.html || complain "the page lacks the results"
expect 0 '*' sweep Decay.mo --vary k=0.5:0.5:3 --keep x --output-file one.csv --report one.html
is "failed rows of the page" "$(count '<tr class="failed">' one.html)" 1
grep -q 'k has left its range' one.html || complain "the page lacks the reason"

# Linear systems.
expect 0 "" linearize Motor.mo --outputs w,i --plot bode=bode.svg --plot nyquist=nyquist.svg --plot poles=poles.svg --plot step=step.svg
is "curves of bode" "$(count '<path fill="none"' bode.svg)" 4
is "curves of nyquist" "$(count '<path fill="none"' nyquist.svg)" 4
is "dashed ones" "$(count 'stroke-dasharray' nyquist.svg)" 2
is "poles" "$(count 'l8,8m-8,0l8,-8' poles.svg)" 4
is "zeros" "$(count '<circle' poles.svg)" 1
is "steps" "$(count '<path fill="none"' step.svg)" 2

# Places in the plane: a panel for each body, with a dot for each run that is good and one border for all panels.
cat >places.csv <<'END'
run,angle,a.r[1],a.r[2],b.r[1],b.r[2],status,reason
1,0,0,0,1,1,0,
2,0.5,1,0.5,2,1,0,
3,1,2,1,3,2,0,
4,1,9,9,9,9,5,failed
END
expect 0 "" plot places.csv --map --output-file places.svg
is "dots" "$(grep -o 'h0' places.svg | wc -l)" 6
is "borders" "$(grep -c 'stroke-dasharray' places.svg)" 2
grep -q 'angle from 0 (blue) to 1 (red)' places.svg || complain "the map does not say what its colours are"
is "first and last colour" "$(grep -o 'stroke="#[0-9a-f]*" stroke-width' places.svg | sort -u | wc -l)" 3
expect 0 "" plot places.csv 'b.r[1]' --map --output-file one_place.svg
is "dots of one body" "$(grep -o 'h0' one_place.svg | wc -l)" 3
expect 2 "*needs columns with places*" plot one.csv --map

expect 2 "*there is no column 'q'*" plot one.csv k q
expect 2 "*needs two columns or more*" plot one.csv k
expect 2 "*no result has a variable 'q'*" plot runs q --output-file q.svg
expect 2 "*name the variables to draw*" plot runs
expect 2 "*'--plot pie=a.svg' is not of the form KIND=FILE*" linearize Motor.mo --plot pie=a.svg
expect 2 "*a response needs inputs and outputs*" linearize Motor.mo --plot bode=a.svg
expect 2 "*a diagram is written as .svg, .png or .pdf, not as 'a.eps'*" linearize Motor.mo --outputs w --plot bode=a.eps
mkdir empty
expect 2 "*no results (.rbj) in it*" plot empty x
finish
