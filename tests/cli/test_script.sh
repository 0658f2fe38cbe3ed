# Scripts of other tools: what they load, check and simulate, and what is said where they fail.
. "$(dirname "$0")/expect.sh"

mkdir -p models/Lib
cat >models/Decay.mo <<'EOF'
model Decay
  parameter Real k = 2;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end Decay;
EOF
cat >models/Lib/package.mo <<'EOF'
package Lib
  model Twice
    Decay a(k = 1);
  end Twice;
end Lib;
EOF
cat >good.mos <<'EOF'
// a comment
loadModel(Modelica, {"4.0.0"}); getErrorString();
loadFile("models/Decay.mo"); /* and
another */
res := simulate(Decay, startTime = 0, stopTime=2, numberOfIntervals=4, tolerance=1e-9, method="dassl", outputFormat="csv");
getErrorString();
loadFile("models/Lib/package.mo");
checkModel(Lib.Twice);
simulate(Lib.Twice, stopTime=0.5, fileNamePrefix="twice");
EOF
expect 0 "*" run good.mos
is "rows" "$(grep -c '^[0-9]' Decay_res.csv)" 5
is "x(2) = exp(-4)" "$(tail -n 1 Decay_res.csv | awk -F, '{ d = $2 - exp(-4); print (d*d < 1e-14) }')" 1
[ -f twice_res.mat ] || complain "no twice_res.mat"

printf 'loadFile("models/Decay.mo");\nplot(x);\n' >bad.mos
expect 2 "*bad.mos:2: 'plot' is no function that is known here*" run bad.mos
printf 'loadFile("none.mo");\n' >bad.mos
expect 2 "*bad.mos:1: 'none.mo' cannot be read*" run bad.mos
printf 'loadFile("models/Decay.mo");\nsimulate(Decay, stopTim=1);\n' >bad.mos
expect 2 "*bad.mos:2: 'stopTim' is no argument of simulate*" run bad.mos
printf 'simulate(Decay, method="euler");\n' >bad.mos
expect 2 "*'euler' is a method that is not known here*" run bad.mos
printf 'simulate Decay\n' >bad.mos
expect 2 "*bad.mos:1: a call such as simulate(Model, stopTime=1) is expected*" run bad.mos
finish
