# Parameters from files: lines, parameter sets of SSP, and sets as the runs of a sweep.
. "$(dirname "$0")/expect.sh"

cat > Decay.mo <<'EOT'
model Decay
  parameter Real k = 1;
  parameter Integer n = 1;
  parameter Boolean on = true;
  parameter String word = "no";
  Real x(start = 1, fixed = true);
equation
  der(x) = if on and word == "yes" then -k*n*x else 0;
  annotation(experiment(StopTime = 1, Tolerance = 1e-9));
end Decay;
EOT
set_of() { # FILE K N ON
    cat > "$1" <<EOT
<?xml version="1.0" encoding="UTF-8"?>
<ssv:ParameterSet xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues" xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" version="1.0" name="A">
  <ssv:Parameters>
    <ssv:Parameter name="k"><ssv:Real value="$2" unit="1/s"/></ssv:Parameter>
    <ssv:Parameter name="n"><ssv:Integer value="$3"/></ssv:Parameter>
    <ssv:Parameter name="on"><ssv:Boolean value="$4"/></ssv:Parameter>
    <ssv:Parameter name="word"><ssv:String value="yes"/></ssv:Parameter>
  </ssv:Parameters>
  <ssv:Units><ssc:Unit name="1/s"><ssc:BaseUnit s="-1"/></ssc:Unit><ssc:Unit name="1/min"><ssc:BaseUnit s="-1" factor="0.0166"/></ssc:Unit></ssv:Units>
</ssv:ParameterSet>
EOT
}
set_of slow.ssv 0.5 1 true
set_of fast.ssv 0.7 2 1
set_of off.ssv 1 1 0
printf '# as linearize --point writes it\n\n  k = 0.25 \nword=yes\r\nx=2\n' > lines.txt

expect 0 '*' sweep Decay.mo --table slow.ssv --table fast.ssv --table off.ssv --keep x --output-file t.csv
expect 0 '*' sweep Decay.mo --vary n=1,2 --override-file lines.txt --keep x --output-file lines.csv
expect 0 '*' sweep Decay.mo --vary n=1,2 --override-file lines.txt --override-file slow.ssv --override k=0.1 --keep x --output-file both.csv
python3 - <<'EOT' || complain "$(cat t.csv lines.csv both.csv)"
import csv, math
def check(file, want):
    rows = list(csv.DictReader(open(file)))
    assert len(rows) == len(want), file
    for r, w in zip(rows, want): assert abs(float(r["x"]) - w) < 1e-7, (file, r, w)
check("t.csv", (math.exp(-0.5), math.exp(-1.4), 1))
check("lines.csv", (2 * math.exp(-0.25), 2 * math.exp(-0.5)))
check("both.csv", (2 * math.exp(-0.1), 2 * math.exp(-0.2)))
EOT

# Wrong files: with their places.
sed 's|unit="1/s"|unit="1/min"|' slow.ssv > unit.ssv
sed 's|<ssv:Real value="0.5" unit="1/s"/>|<ssv:Binary value="00"/>|' slow.ssv > binary.ssv
sed 's|name="k"|name="q"|' slow.ssv > other.ssv
printf 'k=1\nnothing\n' > wrong.txt
sed 's|unit="1/s"/>|unit="1/h"/>|' slow.ssv > undefined.ssv
printf '<a/>' > wrong.ssv
expect 6 "unit.ssv:4:*'k' is given in 1/min*give it in the unit of the model*" simulate Decay.mo --override-file unit.ssv
expect 6 "undefined.ssv:4:*'k' is given in '1/h', which the set does not define*" simulate Decay.mo --override-file undefined.ssv
expect 6 "binary.ssv:4:*parameter 'k' has no value that a model takes*" simulate Decay.mo --override-file binary.ssv
expect 2 "*no parameter 'q'*other.ssv: error: line 4: 'q' cannot be set to '0.5'*" simulate Decay.mo --override-file other.ssv
expect 6 "wrong.txt:2:1: error: 'nothing' is not of the form NAME=VALUE*" simulate Decay.mo --override-file wrong.txt
expect 6 "wrong.ssv:1:1: error: this is no parameter set of SSP*" simulate Decay.mo --override-file wrong.ssv
expect 6 "*none.txt*" simulate Decay.mo --override-file none.txt
expect 6 "*other.ssv*line 4: the first set has no parameter 'q'*" sweep Decay.mo --table slow.ssv --table other.ssv --keep x
expect 2 "*several tables are parameter sets (.ssv)*" sweep Decay.mo --table slow.ssv --table t.csv --keep x
finish
