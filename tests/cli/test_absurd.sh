# label: normal
# Numbers that are typed by mistake, as far as a double reaches: each run ends soon, with a result or with a message that names what is wrong, and where.
. "$(dirname "$0")/expect.sh"

cat >Absurd.mo <<'END'
package Absurd
  import Rattleback.*;
  partial model Base
    inner World world(gravity = {0, 0, -g});
    parameter Real g = 9.81, v = 1, w = 0, size = 0.1, z = 0.1, mass = 0, plate_size = 2, angle = 0;
    parameter Real E = 2e11, rho = 7800, mu = 0.3, e = 0.7, L = 1e-5;
    Materials.Solid stuff(name = "Stuff", density = rho, youngsModulus = E);
    Materials.Pair law(a = "Stuff", b = "Stuff", restitution = e, slidingFriction = mu, bristleLength = L);
    Parts.Solid plate(shape = Shapes.Box(plate_size, plate_size, 0.2), material = "Stuff", r = {0, 0, -0.1}, fixed = true);
  end Base;
  model Box
    extends Base;
    Parts.Solid body(shape = Shapes.Box(size, size, size), material = "Stuff", r = {0, 0, z}, v = {0, 0, -v}, w = {0, 0, w}, angles = {angle, angle, 0}, mass = mass);
  end Box;
  model Two
    extends Box;
    Parts.Solid ball(shape = Shapes.Sphere(size), material = "Stuff", r = {0, 0, 2*z + size}, v = {0, 0, -v});
  end Two;
  model Mesh
    extends Base;
    Parts.Workpiece body(mesh = Solids.Box({size, size, size}), material = "Stuff", r = {0, 0, z}, v = {0, 0, -v}, w = {0, 0, w});
  end Mesh;
end Absurd;
END

# Exit code, what is said, overrides. A result has no number that is none.
for class in Box Two Mesh; do
    while read -r code override said; do
        rm -f o.csv
        expect "$code" "$said" simulate Absurd.mo Absurd.$class --quiet --stop-time 0.2 --output-file o.csv --override "$override"
        [ "$code" -ne 0 ] || ! grep -qi 'nan\|inf' o.csv || complain "$class, $override: no number in the result"
    done <<'END'
0 mu=1e-300
0 g=1e-300
0 v=1e-300
0 e=1e-300
0 e=1e-12
0 E=1e25
1 mu=1e10 *'slidingFriction' is 1e+10; it must lie between 0 and 1e+06*
1 E=1e40 *'youngsModulus' is 1e+40 Pa; it must lie between 0 and 1e+30*
1 rho=1e300 *'density' is 1e+300 kg/m3; it must lie between 0 and 1e+30*
1 rho=1e-300 *Absurd.mo:9:*mass of 'plate' is 8e-301 kg; it must lie between 1e-60 and 1e+60: look at its size and density*
1 L=1e-300 *'bristleLength' is 1e-300 m; it must lie between 1e-12 and 1*
1 plate_size=1e150 *Absurd.mo:9:*'plate'*
1 plate_size=1e-200 *Absurd.mo:9:*box 'plate' has no volume*
1 v=1e160 *Absurd.mo:*velocity of 'body' is (0, 0, -1e+160) m/s; its components must lie between*
1 w=1e20 *Absurd.mo:*angular velocity of 'body' is (0, 0, 1e+20) rad/s; its components must lie between*
1 z=1e200 *Absurd.mo:*translation of 'body' is (0, 0, 1e+200) m; its components must lie between*
4 v=1e40 *'body'*move at up to 1.25e+40 m/s against each other: whether they touch in a step cannot be told*
4 size=1e-20 *'body'*whether they touch in a step cannot be told; make them slower or thicker*
END
done
for class in Box Two; do
    for override in mass=1e-300 mass=1e300; do
        expect 1 "*Absurd.mo:*mass of 'body' is 1e[-+]300 kg; it must lie between 1e-60 and 1e+60*" simulate Absurd.mo Absurd.$class --override $override
    done
    for override in E=1e-30 g=1e30; do
        expect 4 "*'plate' and 'body' penetrate each other*more than the elastic law can describe*" simulate Absurd.mo Absurd.$class --override $override
    done
done
# A blow shorter than the distance of two times: steps of one rounding each would go on for ever.
expect 4 "*steps no longer change the time; the error is largest in 'body.[vw]_0*" simulate Absurd.mo Absurd.Box --override mass=1e-59 --override angle=0.3 --override e=1
expect 1 "*box 'body' is so large that its volume is not a number; make it smaller*" simulate Absurd.mo Absurd.Box --override size=1e150
expect 1 "*box 'body' has no volume*" simulate Absurd.mo Absurd.Box --override size=1e-200

# Times.
expect 0 "" simulate Absurd.mo Absurd.Box --quiet --stop-time 1e300
expect 2 "*the run from 0 s to 1e-300 s is too short*" simulate Absurd.mo Absurd.Box --stop-time 1e-300
expect 2 "*numbers have about 5 values only: let the run start nearer to zero*" simulate Absurd.mo Absurd.Two --start-time 1e15 --stop-time 1000000000000001
expect 2 "*the output interval of 1e-300 s divides the run into*" simulate Absurd.mo Absurd.Box --output-interval 1e-300

# What would take for ever ends when it is told to.
expect 5 "*starts at 1e+11 rad/s, which moves its surface at some * m/s: faster than light; look at the units*" simulate Absurd.mo Absurd.Two --quiet --override w=1e11
"$program" simulate Absurd.mo Absurd.Two --quiet --override w=1e9 2>stderr.txt &
pid=$!
sleep 1
kill -TERM $pid
tries=0
while kill -0 $pid 2>/dev/null && [ $tries -lt 50 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
kill -9 $pid 2>/dev/null && complain "SIGTERM did not end the run within 5 s"
wait $pid
is "exit code after SIGTERM" $? 130

# So does a function that does not look whether it should end, after Ctrl-C. (A shell starts what runs beside it with SIGINT ignored.)
cat >Fib.mo <<'END'
model Fib
  function fib
    input Integer n;
    output Integer y;
  algorithm
    y := if n < 2 then n else fib(n - 1) + fib(n - 2);
  end fib;
  Real x(start = 0, fixed = true);
  Integer k = integer(70 + time);
equation
  der(x) = fib(k);
end Fib;
END
python3 - "$program" <<'END' || complain "Ctrl-C does not end a function that computes"
import signal, subprocess, sys, time
run = subprocess.Popen([sys.argv[1], "simulate", "Fib.mo", "--quiet"], stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
time.sleep(1)
run.send_signal(signal.SIGINT)
said = run.communicate(timeout=60)[1]
sys.exit(run.returncode != 130 or b"ended a second after the signal" not in said)
END
finish
