# Inputs of a model from a file: the integral of what the file says, events at jumps, clear words about bad files.
. "$(dirname "$0")/expect.sh"

cat >In.mo <<'END'
model In
  input Real u(unit = "m/s");
  input Boolean b;
  input Integer n;
  Real x(start = 0, fixed = true, unit = "m");
  Integer y = if b then n else -n;
  discrete Integer edges(start = 0, fixed = true);
equation
  der(x) = u;
  when b then
    edges = pre(edges) + 1;
  end when;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end In;
END
cat >in.csv <<'END'
time,n,u,b
0,1,0,0
1,1,1,0
1,2,3,1
2,2,3,0
2.5,5,3,1
3,5,0,1
END

last() {
    awk -F , -v name="\"$1\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i } END { print $column }' "$2"
}
near() { awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !(a - b <= t && b - a <= t) }' || complain "$1: got $2, want $3"; }

# A ramp to 1, a jump to 3, a ramp down from 2.5 s: 0.5 + 3 + 1.5 + 0.75. The Boolean rises twice.
expect 0 "done at t = 3 s: *3 time events*" simulate In.mo --input-file in.csv --output-file o.csv
near "integral" "$(last x o.csv)" 5.75 1e-6
is "edges" "$(last edges o.csv)" 2
is "held integer" "$(last y o.csv)" 5
is "rows at the jump" "$(grep -c '^1,' o.csv)" 2

# A result is an input, too, and knows units.
expect 0 "*" simulate In.mo --input-file in.csv --output-file o.mat --quiet
expect 0 "*" simulate In.mo --input-file o.mat --output-file again.csv --quiet
near "integral from a result" "$(last x again.csv)" 5.75 1e-6

# The same bytes after a checkpoint; another file is another run.
expect 0 "*" simulate In.mo --input-file in.csv --output-file c.rbj --checkpoint-interval 0.7
cp c.rbj whole.rbj
expect 0 "*" simulate In.mo --input-file in.csv --output-file c.rbj --checkpoint-interval 0.7 --resume c.rbc
cmp -s c.rbj whole.rbj || complain "the resumed run differs"

sed 's/^time,n,u,b/time,n,v,b/' in.csv >bad.csv
expect 6 "bad.csv: error: there is no column 'u' for the input of that name; the file has 3 columns besides the time*" \
    simulate In.mo --input-file bad.csv
sed 's/^2,2,3,0/2,2,3,0.5/' in.csv >bad.csv
expect 6 "bad.csv: error: the column 'b' has the value 0.5 at 2 s, which is not 0 or 1, as the Boolean input needs*" \
    simulate In.mo --input-file bad.csv
sed 's/^2.5,5,3,1/1.5,5,3,1/' in.csv >bad.csv
expect 6 "bad.csv:6:1: error: the time goes back from 2 to 1.5*" simulate In.mo --input-file bad.csv
expect 0 "in.csv: warning: the signals end at 3 s, before the end of the run at 4 s; they hold their last values from there on*" \
    simulate In.mo --input-file in.csv --stop-time 4 --output-file o.csv --quiet
expect 6 "none.csv: error: cannot open*" simulate In.mo --input-file none.csv
expect 2 "rattleback: error: '--input-file' is for Modelica models*" simulate bouncing-ball --input-file in.csv
finish
