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

last() { # of a column; names may hold commas
    awk -F , -v name="$1" 'NR == 1 { gsub(/^"|"$/, ""); n = split($0, names, "\",\""); for (i = 1; i <= n; i++) if (names[i] == name) column = i }
        END { print $column }' "$2"
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
expect 6 "bad.csv: error: there is no column 'u' for the input of that name; the file has 3 columns besides the time: 'n', 'v', 'b'*" \
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

# Arrays: whole ones, whose size may be set as well, and one that is taken apart.
cat >Vectors.mo <<'END'
model Vectors
  parameter Integer n = 2;
  parameter Real B[:, :] = [1, 10; 0, 1];
  input Real u[n];
  input Real M[2, n];
  input Real w[2];
  Real x[size(B, 1)](each start = 0, each fixed = true);
  Real y[2] = M*u + w;
equation
  der(x) = B*u;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end Vectors;
END
cat >vectors.csv <<'END'
time,u[1],u[2],w[1],w[2],"M[1,1]","M[1, 2]","M[2,1]","M[2,2]",unused
0,0,1,1,2,1,0,0,1,7
1,1,1,1,2,1,0,0,1,7
2,1,1,1,2,1,0,2,3,7
END
# u[1] rises to 1 in the first second: its integral is 1.5, that of u[2] 2.
expect 0 "done at t = 2 s*" simulate Vectors.mo --input-file vectors.csv --output-file o.csv
near "whole vector, row 1" "$(last 'x[1]' o.csv)" 21.5 1e-6
near "whole vector, row 2" "$(last 'x[2]' o.csv)" 2 1e-6
near "matrix" "$(last 'y[2]' o.csv)" 7 1e-12
sed 's/,unused/,u[3],"M[1,3]","M[2,3]"/; s/,7$/,2,0,1/' vectors.csv >three.csv
expect 0 "done at t = 2 s*sizes changed*u \[2\] -> \[3\]*" simulate Vectors.mo --input-file three.csv --output-file o.csv \
    --override n=3 --override "B=[1, 10, 100; 0, 0, 1; 0, 0, 3]"
near "three elements, row 1" "$(last 'x[1]' o.csv)" 421.5 1e-5
near "three elements, row 3" "$(last 'x[3]' o.csv)" 12 1e-6
near "three columns" "$(last 'y[2]' o.csv)" 9 1e-12

expect 6 "vectors.csv: error: there is no column 'u\[3\]' for the input 'u', which has 3 elements; the file has 9 columns besides the time: 'u\[1\]', 'u\[2\]', 'w\[1\]', *" \
    simulate Vectors.mo --input-file vectors.csv --override n=3 --override "B=[1, 10, 100]"
expect 6 "three.csv: error: there is a column 'u\[3\]', but the input 'u' has 2 elements*" simulate Vectors.mo --input-file three.csv
sed 's/"M\[2,2\]"/"M[3,2]"/' vectors.csv >bad.csv
expect 6 "bad.csv: error: there is a column 'M\[3,2\]', but the input 'M' has the size \[2,2\]*" simulate Vectors.mo --input-file bad.csv
sed 's/"M\[2,2\]"/"N"/' vectors.csv >bad.csv
expect 6 "bad.csv: error: there is no column 'M\[2,2\]' for the input 'M', which has the size \[2,2\]; the file has 9 columns*" \
    simulate Vectors.mo --input-file bad.csv
sed 's/w\[2\]/v/' vectors.csv >bad.csv
expect 6 "bad.csv: error: there is no column 'w\[2\]' for the input of that name; the file has 9 columns*" simulate Vectors.mo --input-file bad.csv
sed 's/^2,1,1/0.5,1,1/' vectors.csv >bad.csv
expect 6 "bad.csv:4:1: error: the time goes back from 1 to 0.5*" simulate Vectors.mo --input-file bad.csv
sed 's/^1,1,1/1,1,x/' vectors.csv >bad.csv
expect 6 "bad.csv:3:5: error:*" simulate Vectors.mo --input-file bad.csv
cat >one.csv <<'END'
time,v
0,1
END
expect 6 "one.csv: error: there is no column 'u' for the input of that name; the file has 1 column besides the time: 'v'*" \
    simulate In.mo --input-file one.csv

# Signals of few rows are not stepped over: a pulse of 0.01, and what exceeds 0.75 of 50 teeth of a triangle (a sixteenth each).
cat >Area.mo <<'END'
model Area
  input Real u;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = u;
  der(y) = max(0, u - 0.75);
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end Area;
END
printf 'time,u\n0,0\n5,0\n5.01,1\n5.02,0\n10,0\n' >pulse.csv
awk 'BEGIN { print "time,u"; for (i = 0; i <= 100; i++) print i/10 "," i%2 }' >teeth.csv
expect 0 "" simulate Area.mo --quiet --input-file pulse.csv --output-file a.csv
near "the area of a pulse" "$(last x a.csv)" 0.01 1e-6
expect 0 "" simulate Area.mo --quiet --input-file teeth.csv --output-file a.csv
near "the area of teeth" "$(last x a.csv)" 5 1e-5
near "the area of their tips" "$(last y a.csv)" 0.3125 1e-5

# An input that is set keeps its value, whether it has a start value or not.
cat >Started.mo <<'END'
model Started
  input Real u(start = 4), v;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = u;
  der(y) = v;
end Started;
END
expect 0 "" simulate Started.mo --quiet --output-file s.csv
near "the start value of an input" "$(last x s.csv)" 4 1e-9
expect 0 "" simulate Started.mo --quiet --output-file s.csv --override u=10 --override v=3
near "an input with a start value is set" "$(last x s.csv)" 10 1e-9
near "an input without one is set" "$(last y s.csv)" 3 1e-9
finish
