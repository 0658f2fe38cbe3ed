# The examples in Modelica run as their comments say, and give what physics says.
. "$(dirname "$0")/expect.sh"

# last NAME: the last value of a variable in o.csv
last() {
    awk -F , -v name="\"$1\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i } END { print $column }' o.csv
}

# near WHAT VALUE WANTED TOLERANCE
near() { awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !(a - b <= t && b - a <= t) }' || complain "$1: got $2, want $3"; }

# The controller keeps the speed although the brake acts: torque of the brake / ratio / k is the current.
expect 0 "" simulate "$source/examples/modelica/MotorDrive.mo" --quiet --output-file o.csv
near "speed of the load" "$(last load.w)" 10 1e-3
near "current of the motor" "$(last L.i)" 4 1e-2
expect 0 "" simulate "$source/examples/modelica/MotorDrive.mo" --quiet --output-file o.csv \
    --override brake=2
near "current with half the brake" "$(last L.i)" 2 1e-2

# Peak of 12 V less the drop over the wire, discharged by at most a half period over R C = 50 ms.
expect 0 "" simulate "$source/examples/modelica/Rectifier.mo" --quiet --output-file o.csv
near "rectified voltage" "$(last load.v)" 10.9 1.1

# Energy of 7 m/s at the lowest point.
expect 0 "" simulate "$source/examples/modelica/Pendulum.mo" --quiet --output-file o.csv
near "energy" "$(last E)" 14.69 1e-5

# What ./run draws is there.
for file in "$source"/examples/modelica/*.mo; do
    signals=$(sed -n 's,^// plot: *,,p' "$file")
    [ -n "$signals" ] || continue
    expect 0 "" simulate "$file" --quiet --output-file o.mat
    # shellcheck disable=SC2086 # a list
    expect 0 "*" plot o.mat $signals --output-file o.svg
    [ -s o.svg ] || complain "$file: no plot"
done
finish
