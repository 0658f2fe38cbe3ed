# label: normal
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

# A part from a file: 1 kg whose centre of mass, that of a tetrahedron, hangs below the hinge after a while.
cat >Mesh.mo <<END
model Mesh
  inner Rattleback.World world(g = 9.81);
  Rattleback.Joints.Revolute hinge(d = 0.5, phi(start = 1));
  Rattleback.Parts.Mesh part(fileName = "$source/tests/fuzz/corpus/stl/tetrahedron.stl", mass = 1);
equation
  connect(world.frame_b, hinge.frame_a);
  connect(hinge.frame_b, part.frame_a);
  annotation(experiment(StopTime = 30, Tolerance = 1e-8));
end Mesh;
END
expect 0 "" simulate --quiet --output-file Mesh.csv Mesh.mo
ends Mesh hinge.phi '5 * 3.14159265358979 / 4' 1e-6
sed 's,tetrahedron,nowhere,' Mesh.mo >Missing.mo
expect 6 "*nowhere.stl*Missing.mo:4:*'part' takes its shape from this file*" simulate --quiet --output-file Missing.csv Missing.mo

# The others as they are.
for example in $(sed -n 's/^  model \([A-Za-z]*\).*/\1/p' "$source/library/Rattleback/Examples.mo"); do
    [ -f "$example.csv" ] || expect 0 "" simulate --quiet --output-file "$example.csv" "Rattleback.Examples.$example"
done
finish
