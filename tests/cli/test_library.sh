# Every example of library/Rattleback runs, and where a closed form is known the last value agrees with it.
. "$(dirname "$0")/expect.sh"

# run EXAMPLE: simulate with tight tolerance to EXAMPLE.csv
run() {
    expect 0 "" simulate --quiet --tolerance 1e-9 --output-file "$1.csv" "Rattleback.Examples.$1"
}

# ends EXAMPLE VARIABLE FORMULA TOLERANCE: value of the variable at the end
ends() {
    [ -f "$1.csv" ] || run "$1"
    awk -F, -v name="\"$2\"" -v tol="$4" "
        NR == 1 { for (i = 1; i <= NF; i++) if (\$i == name) column = i }
        { value = \$column }
        END {
            want = $3; difference = value - want
            if (!column || difference > tol || difference < -tol) { print value, want; exit 1 }
        }" "$1.csv" >awk.txt || complain "$1: $2 at the end: got and want: $(cat awk.txt)"
}

# Charging over a resistor: 10 V (1 - exp(-t/(R C))).
ends Filter C.v '10 * (1 - exp(-1 / 0.2))' 1e-6
# Undamped oscillation: cos(sqrt(c/m) t).
ends Oscillator mass.s 'cos(3 * 10)' 1e-6
# Damped oscillation with D = d/(2 J): exp(-D t) (cos(w t) + D/w sin(w t)), w = sqrt(c/J - D^2).
ends TorsionPendulum inertia.phi 'exp(-1) * (cos(10 * sqrt(3.99)) + 0.1 / sqrt(3.99) * sin(10 * sqrt(3.99)))' 1e-6
# Two equal bodies: mean - half the difference times exp(-2 G t/C).
ends TwoMasses second.T '323.15 - 50 * exp(-20 / 15)' 1e-5
# Joule heat R I^2 t / C.
ends Currents body.T '300 + 5 * 2 * 2 * 10 / 100' 1e-6
# Without load the motor runs at V/k, the load at a tenth of it.
ends Motor load.w 12 1e-6
# Dry friction stops the mass after the way m v^2 / (2 f), and there it stays.
ends SlidingMass mass.s '2 * 1 / (2 * 1)' 1e-6
ends SlidingMass mass.v 0 1e-9
# At rest until the torque t reaches 2 at t = 2, then J dw/dt = t - 1: w = (t^2 - 4)/2 - (t - 2).
ends StickSlip inertia.w '(16 - 4) / 2 - (4 - 2)' 1e-5
# A PI controller leaves no error; the slowest mode has decayed.
ends ControlLoop plant.y 2 1e-3

for example in $(sed -n 's/^  model \([A-Za-z]*\).*/\1/p' "$source/library/Rattleback/Examples.mo"); do
    [ -f "$example.csv" ] || run "$example"
done
finish
