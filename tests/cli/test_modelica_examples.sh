# label: normal
# sanitizers: full (the examples of the library, test_library, run the same code)
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

# At rest below the hinge; at the reference, with the load held by the integral part.
expect 0 "" simulate "$source/examples/modelica/PendulumWithDamper.mo" --quiet --output-file o.csv
near "angle of the pendulum" "$(last hinge.phi)" -1.5707963 1e-4
expect 0 "" simulate "$source/examples/modelica/ServoArm.mo" --quiet --output-file o.csv
near "angle of the arm" "$(last hinge.phi)" 1 1e-4

# The loop stays closed: crank and coupler end where the rocker ends.
expect 0 "*" simulate "$source/examples/modelica/FourBar.mo" --output-file o.csv
near "gap of the loop" "$(awk -v c="$(last crank.phi)" -v k="$(last coupler.phi)" -v r="$(last rocker.phi)" 'BEGIN {
    x = 0.3*cos(c) + 0.9*cos(c + k) - 1 - 0.7*cos(r); y = 0.3*sin(c) + 0.9*sin(c + k) - 0.7*sin(r); print sqrt(x*x + y*y) }')" 0 1e-7

# All five axes arrive, and the tool is where these angles put it.
expect 0 "" simulate "$source/examples/modelica/FiveAxisArm.mo" --quiet --output-file o.csv
near "first axis" "$(last 'axis[1].phi')" 1.2 1e-5
near "fourth axis" "$(last 'axis[4].phi')" 0.9 1e-5
near "height of the tool" "$(last 'tool.r[3]')" "$(awk 'BEGIN { print 0.075 + 0.155*cos(0.6) + 0.135*cos(1.1) + 0.17032*cos(2) }')" 1e-5
near "energy that is missing" "$(last energy.residual)" 0 1e-5

# The ram stands where the crank puts it, after having hit the ball; nothing is missing in the account.
expect 0 "*" simulate "$source/examples/modelica/Pusher.mo" --output-file o.csv
near "ram" "$(last slide.s)" "$(last crank.phi | awk '{ print 0.1*cos($1) + sqrt(0.09 - 0.01*sin($1)^2) }')" 1e-6
near "energy that is missing" "$(last energy.residual)" 0 1e-4

# The piston stands where the crank puts it, and no energy is lost.
expect 0 "*" simulate "$source/examples/modelica/SliderCrank.mo" --output-file o.csv
near "piston" "$(last slider.s)" "$(awk -v c="$(last crank.phi)" 'BEGIN { print 0.1*cos(c) + sqrt(0.09 - (0.1*sin(c))^2) }')" 1e-6
near "energy of the slider-crank" "$(last energy.residual)" 0 1e-5

# The sphere goes up with the hand, but for what regularised friction lets it creep.
expect 0 "" simulate "$source/examples/modelica/Gripper.mo" --quiet --output-file o.csv
near "height of the sphere" "$(last 'sphere.r_0[3]')" 0.225 5e-4
# 30 N on both sides hold 0.03 kg; 0.01 N do not.
expect 0 "" simulate "$source/examples/modelica/Gripper.mo" --quiet --output-file o.csv --override press=0.01
near "height of a sphere that is let go" "$(last 'sphere.r_0[3]')" 0.025 1e-4

# Two soft pads carry half of the egg's weight each, and press with the springs of their joints; with a tenth of that the egg stays on the table.
expect 0 "*" simulate "$source/examples/modelica/SoftGripper.mo" --quiet --output-file o.csv
near "weight on a pad" "$(last 'pad[1].contact_force[3]')" -0.2943 1e-3
near "weight on the other" "$(last 'pad[2].contact_force[3]')" -0.2943 1e-3
near "pressure on a pad" "$(last 'pad[1].contact_force[1]')" "$(awk -v s="$(last 'finger[1].s')" 'BEGIN { print 200*(s - 0.03) }')" 1e-3
near "the egg is lifted" "$(last 'egg.r_0[3]')" 0.13 2e-3
expect 0 "*" simulate "$source/examples/modelica/SoftGripper.mo" --quiet --output-file o.csv --override press=0.4
near "the egg is not held" "$(last 'egg.r_0[3]')" 0.03 5e-3

# The ball lies in the net, which has not let it through; the ring has come down from the table and rolls on: as fast as it turns.
expect 0 "*" simulate "$source/examples/modelica/CatchingNet.mo" --quiet --output-file o.csv --override net.zeta=3 --stop-time 3
near "weight in the net" "$(last 'net.contact_force[3]')" -0.4905 0.02
near "the ball in the plane of the net" "$(last 'ball.r_0[3]')" 0 0.04
expect 0 "*" simulate "$source/examples/modelica/SoftTyre.mo" --quiet --output-file o.csv
near "height of the ring" "$(last 'tyre.low[3]')" -0.03 2e-3
near "between the edge and how far its speed would bring it" "$(last 'tyre.r[1]')" 0.37 0.22

# Rolling at 2/7 of the speed of the belt; rolling resistance takes it along a little.
expect 0 "" simulate "$source/examples/modelica/Conveyor.mo" --quiet --output-file o.csv --stop-time 0.2
near "speed of the ball" "$(last 'ball.v_0[1]')" "$(awk 'BEGIN { print 2/7 }')" 3e-3

# Contacts of the cradle: what they take is in the account.
expect 0 "" simulate "$source/examples/modelica/NewtonsCradle.mo" --quiet --output-file o.csv
near "energy of the cradle" "$(last energy.residual)" 0 1e-6

# Two states become three without another translation: exp(-lambda t) for each; those of the fixed size stay.
expect 0 "*sizes changed after that: A2 \[2,2\] -> \[3,3\], y2 \[2\] -> \[3\]*" simulate "$source/examples/modelica/LinearOdes.mo" --output-file o.csv \
    --override "A2=[-1, 0, 0; 0, -2, 0; 0, 0, -3]" --override "y2={1.1, 2.1, 3.1}"
near "second state" "$(last 'y2[2]')" "$(awk 'BEGIN { print 2.1 * exp(-4) }')" 1e-7
near "third state" "$(last 'y2[3]')" "$(awk 'BEGIN { print 3.1 * exp(-6) }')" 1e-7
near "fixed size" "$(last 'y1[2]')" "$(awk 'BEGIN { print 2 * exp(-4) }')" 1e-7
expect 2 "*error: the size of 'A1' is \[2,2\] and cannot become \[1,1\] after translation*" \
    simulate "$source/examples/modelica/LinearOdes.mo" --override "A1=[1]"

# A rod of equations and one in C, both refined from 5 to 8 elements after translation, agree.
expect 0 "*" simulate "$source/examples/modelica/HeatedRod.mo" HeatedRod.Both --output-file o.csv --override rod.n=8 \
    --override component.n=8 --tolerance 1e-9
near "end of the rod" "$(last 'rod.T[8]')" "$(last component.T_last)" 1e-3

# What ./run draws is there.
for file in "$source"/examples/modelica/*.mo; do
    [ "${file##*/}" != PackingCell.mo ] || continue # it takes longer, and has test_packing_cell.sh
    signals=$(sed -n 's,^// plot: *,,p' "$file")
    [ -n "$signals" ] || continue
    expect 0 "*" simulate "$file" --quiet --output-file o.mat # a planar loop is told in a note
    if grep -q "warning\|error" stderr.txt; then complain "$file: $(cat stderr.txt)"; fi
    # shellcheck disable=SC2086 # a list
    expect 0 "*" plot o.mat $signals --output-file o.svg
    [ -s o.svg ] || complain "$file: no plot"
done
# Caught alongside: momentum -2 kg m/s of 4 kg, angular momentum -3 kg m2/s about the common centre with 3.6 kg m2 (positions after 2 s).
expect 0 "" simulate "$source/examples/modelica/Docking.mo" --quiet --output-file o.csv
near "probe, x" "$(last 'probe.r_0[1]')" 0.4931119366 1e-7
near "probe, y" "$(last 'probe.r_0[2]')" -0.6435853220 1e-7
near "energy of the blow" "$(last energy.impacts)" 0.25 1e-9

# 200 kg under 1e4 (1 - t/5) N for 5 s, then 100 kg under 200 (15 - t) N, against 9.81 m/s2; the first stage is gone after 10 s.
expect 0 "*" simulate "$source/examples/modelica/TwoStageRocket.mo" --quiet --output-file o.csv
near "upper stage" "$(last 'stage2.body.r_0[2]')" 1232.2083333 2e-5
near "its speed" "$(last 'stage2.body.v_0[2]')" 77.85 2e-6
[ -z "$(last 'stage1.body.r_0[2]')" ] || complain "the first stage is still there"

# 3 m g cos(phi) = 50 N at cos(phi) = 0.849473, where sqrt(2 g cos(phi)) is 4.08248 m/s; then free flight.
expect 0 "" simulate "$source/examples/modelica/BreakingPendulum.mo" --quiet --output-file o.csv
near "horizontal speed of the bob" "$(last 'bob.v_0[1]')" "$(awk 'BEGIN { c = 50 / 6 / 9.81; printf "%.10f", -c * sqrt(2 * 9.81 * c) }')" 1e-7

# The chain of hinges is torn twice; momentum along the bridge of what fell is that of free fall from then on.
expect 0 "*" simulate "$source/examples/modelica/BreakingBridge.mo" --log events --output-file o.csv
[ "$(grep -c "break 'hinge" stderr.txt)" = 2 ] || complain "the bridge does not break twice"

# Boxes stand where they were put, on top of others; the robot stands on its other hand.
expect 0 "" simulate "$source/examples/modelica/RelocatableRobot.mo" --quiet --output-file o.csv
near "box 1, x" "$(last 'box[1].r_0[1]')" 3.2 1e-5
near "box 1, y" "$(last 'box[1].r_0[2]')" 1 1e-5
near "box 1, z" "$(last 'box[1].r_0[3]')" 0.4 1e-5
near "box 4, x" "$(last 'box[4].r_0[1]')" 4.2 1e-5
near "box 4, z" "$(last 'box[4].r_0[3]')" 0.4 1e-5
near "green hand" "$(last 'green.r_0[1]')" 3.2 1e-5
near "blue hand" "$(last 'blue.r_0[2]')" 3 1e-4

# The states of the crane take the box to the right and back.
expect 0 "" simulate "$source/examples/modelica/CraneProgram.mo" --quiet --output-file o.csv --variable-filter 'boxes|box[.]r_0.*'
near "boxes of the crane" "$(last boxes)" 2 0
near "box on the right" "$(sed -n 's/^5,//p' o.csv | head -1 | cut -d , -f 1)" 0.5 1e-4
near "box on the left" "$(last 'box.r_0[1]')" -0.5 1e-4
near "box on the table" "$(last 'box.r_0[3]')" 0.1 1e-4

# Parts of the conveyor lie in a row.
expect 0 "*" simulate "$source/examples/modelica/MagnetConveyor.mo" --quiet --output-file o.csv
near "part 1" "$(last 'part[1].r_0[2]')" 0.7 1e-5
near "part 2" "$(last 'part[2].r_0[2]')" 1 1e-5
near "part 3" "$(last 'part[3].r_0[2]')" 1.3 1e-5

# Four ways to grip: the sphere is within 2 mm of the way of the last one at all output points.
for s in S1 S2 S3 S4; do
    expect 0 "*" simulate "$source/examples/modelica/GrippingRobot.mo" "GrippingRobot.$s" --quiet --output-file "$s.csv"
done
for s in S1 S2 S3; do
    worst=$(awk -F, '
        function column(name,   k) { for (k = 1; k <= NF; k++) if ($k == "\"" name "\"") return k; return 0 }
        FNR == 1 { x = column("sphere.r_0[1]"); z = column("sphere.r_0[3]"); if (!x || !z) exit; next }
        NR == FNR { X[$1] = $x; Z[$1] = $z; next }
        $1 in X { n++; d = sqrt((X[$1] - $x)^2 + (Z[$1] - $z)^2); if (d > worst) worst = d }
        END { if (n > 400) print worst + 0; else print 1 }' S4.csv "$s.csv")
    awk -v w="$worst" 'BEGIN { exit !(w < 0.002) }' || complain "$s: the sphere is $worst m away"
done

# Solids of Rattleback.Solids. The drive turns twice: the wheel by two slots of six, within the clearance of the pin
# (0.01/2 at the radius 0.577) and what the pin sinks in.
expect 0 "" simulate Rattleback.Examples.GenevaMechanism --quiet --variable-filter '.*phi' --output-file o.csv --stop-time 4
near "angle of the Geneva wheel" "$(last driven.phi)" -2.0943951 0.0115
# With four slots it turns by a quarter per turn; its shape follows from the parameter.
expect 0 "" simulate Rattleback.Examples.GenevaMechanism --quiet --variable-filter '.*phi' --output-file o.csv --override nSlots=4 --stop-time 2
near "angle with four slots" "$(last driven.phi)" -1.5707963 0.0115
# Twelve teeth drive eighteen: the angles, but for the backlash.
expect 0 "" simulate Rattleback.Examples.GearPair --quiet --variable-filter '.*phi' --output-file o.csv --stop-time 0.3
near "angle of the wheel" "$(last wheel.phi)" "$(last pinion.phi | awk '{ print 3.1415927*(1 + 1/18) - $1*12/18 }')" 0.03
# On the other side of the bend the ball comes less high than it was let go (x = -0.3736), and stays in the pipe.
expect 0 "" simulate Rattleback.Examples.BallThroughPipe --quiet --variable-filter 'ball\.r_0.*' --output-file o.csv --stop-time 1
near "farthest of the ball" "$(awk -F , 'NR > 1 && $2 > most { most = $2 } END { print most }' o.csv)" 0.3368 0.0368
near "aside" "$(last 'ball.r_0[2]')" 0 0.02
expect 0 "" simulate Rattleback.Examples.AllSolids --quiet --output-file o.csv
cat >NoSolid.mo <<END
model NoSolid
  import Rattleback.*;
  inner World world(g = 9.81);
  Parts.Workpiece part(mesh = Solids.intersection(Solids.Box({1, 1, 1}), Solids.translate(Solids.Box({1, 1, 1}), {2, 0, 0})));
end NoSolid;
END
expect 1 "NoSolid.mo:4:19: error: the solid of 'part': intersection: nothing is left*" simulate NoSolid.mo

finish
