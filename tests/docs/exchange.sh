# sh exchange.sh PAGE PROGRAM
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_odr_violation=0" # an FMU of ours holds the same library
# Run the commands of the page on its model; what they write are archives whose descriptions have the start values that were asked for.
page=$1 program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk -v folder="$folder" '
    /^```sh$/                { file = folder "/commands"; next }
    /^```[a-z]+ [A-Za-z.]+$/ { file = folder "/" $2; next }
    /^```/                   { file = ""; next }
    file                     { print > file }' "$page"
cd "$folder" || exit 1
rattleback() { "$program" "$@"; }
failed=0
complain() { echo "$1" >&2; failed=1; }
. ./commands || complain "a command failed"
description() { python3 -c 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read("modelDescription.xml").decode())' "$1"; }
description Hoist.fmu | grep -q 'fmiVersion="2.0"' || complain "Hoist.fmu is not of FMI 2.0"
description Hoist.fmu | grep 'name="m"' | grep -q 'start="20"' || complain "Hoist.fmu: another start value of m"
description Heavy.fmu | grep -q 'fmiVersion="3.0"' || complain "Heavy.fmu is not of FMI 3.0"
description Heavy.fmu | grep 'name="m"' | grep -q 'start="25"' || complain "Heavy.fmu: another start value of m"
description Heavy.fmu | grep 'name="force"' | grep -q 'causality="input".*unit="N" start="200"' || complain "Heavy.fmu: another input"
description Hoist.fmu | grep -q '<ModelExchange' && complain "Hoist.fmu is for model exchange"
description Both.fmu | grep -q '<ModelExchange modelIdentifier="Hoist"' || complain "Both.fmu is not for model exchange"
description Both.fmu | grep -q '<CoSimulation modelIdentifier="Hoist"' || complain "Both.fmu is not for co-simulation"
examples=$(dirname "$page")/../../examples/modelica
"$program" export-fmu "$examples/GrippingRobot.mo" GrippingRobot.S4 --type me 2>messages && complain "model exchange is not refused"
grep -q "actions change the structure" messages || complain "the refusal gives no reason: $(cat messages)"
grep -q "co-simulation" messages || complain "the refusal names no remedy: $(cat messages)"
"$program" export-fmu bouncing-ball 2>messages && complain "an example in C is not refused"
grep -q "Modelica" messages || complain "the refusal names no reason: $(cat messages)"
# The load falls from 1 m with (245.25 - 200)/25 m/s2, and below 0.5 m is slowed down by (300 - 245.25)/25 m/s2: it turns at 0.0868 m, and
# the brake closes up to a communication step late.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^"?hoist.height"?$/) h = i; next } NR == 2 || $h < low { low = $h } END { exit !(low > 0.0835 && low < 0.0875) }' winch.csv ||
    complain "Winch: the load does not turn at 0.0868 m"
awk -F, 'NR > 1 && $1 == 1 { found = 1 } END { exit !found }' alone.csv || complain "Hoist.fmu does not run to its stop time"
"$program" info Hoist.fmu >contents
grep -q "^  height  *output  *continuous  *Real  .*Above the floor" contents || complain "the output is not listed"
grep -q "^co-simulation: state can be got and set, and saved, steps of any length$" contents || complain "what the FMU can do is not said"
# Half a second upwards with (250 - 245.25)/25 m/s2
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^"?height"?$/) h = i } END { exit !($h > 1.023749 && $h < 1.023751) }' lift.csv ||
    complain "Lift: the load does not stand at 1.02375 m"
grep -q "^model Lift " Lift.mo || complain "Lift.mo has no model of the system"
"$program" simulate Hoist.fmu --no-external >messages 2>&1 && complain "--no-external runs an FMU"
[ $failed -eq 0 ]
