# sh experiments.sh SOURCE-FOLDER PROGRAM: the model and the commands of docs/guide/experiments.md as they stand there.
source=$1 program=$2
page=$source/docs/guide/experiments.md
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0; next } inside' "$page" >"$folder/commands.sh"
awk -v folder="$folder" '/^```modelica$/ { inside = 1; next } /^```/ { inside = 0; next }
    inside && /^model / { file = folder "/" $2 ".mo" } inside { print > file }' "$page"
cd "$folder" || exit 1
mkdir bin
awk 'function drop(file, h0,    t, v, s, h) { # closed form of a ball with e = 0.82 and g = 9.7, measured in steps of 0.1 mm
         print "time,h" > file; s = sqrt(2*h0/9.7); v = 0.82*sqrt(2*9.7*h0)
         for (t = 0.01; t < 1.3; t += 0.01) {
             while (t > s + 2*v/9.7) { s += 2*v/9.7; v *= 0.82 }
             h = t < s ? (t < sqrt(2*h0/9.7) ? h0 - 9.7*t*t/2 : 0) : v*(t - s) - 9.7*(t - s)^2/2
             printf "%.4f,%.4f\n", t, h > file } }
     BEGIN { drop("drop1.csv", 0.5); drop("drop2.csv", 1); drop("drop3.csv", 1.5) }'
ln -s "$program" bin/rattleback
PATH=$folder/bin:$PATH sh -eux commands.sh >said.txt 2>&1 || { cat said.txt >&2; exit 1; }
for file in ball.csv many.mat many.svg run3.svg motor.mat bode.csv rest.txt fit.csv best.csv sensitivity.svg planets.html curves.svg matrix.svg histogram.svg bands.svg bode.svg nyquist.svg poles.svg step.svg; do
    [ -s $file ] || { echo "the page writes no $file" >&2; exit 1; }
done
[ "$(wc -l <ball.csv)" -eq 6 ] || { echo "five runs are not five rows" >&2; exit 1; }
grep -q '^e = 0\.8[12]' said.txt || { echo "the fit found another restitution:" >&2; cat said.txt >&2; exit 1; }
grep -q '^e = 0\.6324' said.txt || { echo "the optimum is another one:" >&2; cat said.txt >&2; exit 1; } # sqrt(0.4)
