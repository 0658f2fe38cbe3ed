# label: fast
# --multibody: classes of Modelica.Mechanics.MultiBody by the engine. The library here (tests/models/standard_names) has the names of the
# standard one and no mechanics: as equations a pendulum hangs still, so that it is seen who has moved it.
. "$(dirname "$0")/expect.sh"

lib=$source/tests/models/standard_names
cat >Pendulum.mo <<'MODEL'
package Pendulum
  import Modelica.Mechanics.MultiBody.*;
  model Bare
    inner World world;
    model Hinge "A class that extends one of the library"
      extends Joints.Revolute(n = {0, 0, 1});
    end Hinge;
    Hinge hinge(phi(start = 0.1, fixed = true), animation = false, cylinderDiameter = 0.3);
    Parts.Body body(m = 2, r_CM = {0, -1, 0}, I_33 = 0);
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
    annotation(experiment(StopTime = 2, Tolerance = 1e-9));
  end Bare;
  model Unknown
    extends Bare;
    Joints.Assembly assembly;
    Parts.Body other;
  equation
    connect(body.frame_a, assembly.frame_a);
    connect(assembly.frame_b, other.frame_a);
  end Unknown;
  model Meant "Only looks like something that is drawn"
    extends Bare(hinge(armLength = 2));
  end Meant;
  model Misspelled
    extends Bare(hinge(axes = {0, 0, 1}));
  end Misspelled;
end Pendulum;
MODEL

# ends FILE VARIABLE WANTED TOLERANCE
ends() {
    got=$("$program" convert "$1" - --variable-filter "$2" 2>/dev/null | tail -n 1 | cut -d , -f 2)
    awk -v a="$got" -v b="$3" -v t="$4" 'BEGIN { d = a - b; exit !(a != "" && d <= t && d >= -t) }' ||
        complain "$2 in $1 ends at '$got', want $3"
}

expect 0 "*" simulate Pendulum.mo Pendulum.Bare --library "$lib" --output-file a.csv --quiet
ends a.csv 'hinge\.phi' 0.1 0
# A mathematical pendulum: sqrt(g/l) with the correction of its amplitude, 1 - 0.1^2/16.
expect 0 "*" simulate Pendulum.mo Pendulum.Bare --library "$lib" --multibody engine --output-file b.csv --quiet
ends b.csv 'hinge\.phi' "$(awk 'BEGIN { print 0.1 * cos(2 * sqrt(9.80665) * (1 - 0.01 / 16)) }')" 1e-4

expect 0 "*Modelica.Mechanics.MultiBody stays equations here*'assembly.frame_a'*" \
    simulate Pendulum.mo Pendulum.Unknown --library "$lib" --multibody engine --output-file c.csv
ends c.csv 'hinge\.phi' 0.1 0
# Nothing that is modified is left out unsaid, however its name sounds.
expect 0 "*stays equations here*has no element 'armLength'*" \
    simulate Pendulum.mo Pendulum.Meant --library "$lib" --multibody engine --output-file e.csv
ends e.csv 'hinge\.phi' 0.1 0
# What is wrong with both is told as without the engine.
expect 1 "*has no element 'axes' that could be modified*" \
    simulate Pendulum.mo Pendulum.Misspelled --library "$lib" --multibody engine --output-file d.csv
expect 2 "*option '--multibody' is 'equations' or 'engine', not 'both'*" \
    simulate Pendulum.mo Pendulum.Bare --library "$lib" --multibody both

# Parts of ours beside a world that is equations would not know its gravity: refused, with what to do. By the engine they are one.
cat >Beside.mo <<'MODEL'
package Beside
  model Ball
    inner Modelica.Mechanics.MultiBody.World world(g = 2, n = {0, 0, -1});
    Rattleback.Parts.Solid ball(shape = Rattleback.Shapes.Sphere(0.1));
  end Ball;
  model Hung
    extends Ball;
    Rattleback.Joints.Revolute hinge;
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, ball.frame_a);
  end Hung;
end Beside;
MODEL
todo="let the option --multibody=engine run the classes of Modelica.Mechanics.MultiBody as parts of ours, or leave them equations, put Rattleback.Contact.CollisionBody on their frames, and our parts into a component with an inner Rattleback.World of its own"
expect 1 "*Beside.mo:4:28: error: 'ball' (Rattleback.Parts.Solid) needs a Rattleback.World, but 'world' is a Modelica.Mechanics.MultiBody.World: declare 'inner Rattleback.World world;' instead; or $todo*" \
    simulate Beside.mo Beside.Ball --library "$lib"
expect 1 "*these connectors do not fit: 'hinge.frame_a' (Rattleback.Interfaces.Frame_a) belongs to a component in C, 'world.frame_b' (Modelica.Mechanics.MultiBody.Interfaces.Frame_b) does not: $todo*" \
    simulate Beside.mo Beside.Hung --library "$lib"
expect 0 "*" simulate Beside.mo Beside.Ball --library "$lib" --multibody engine --output-file beside.csv --quiet
ends beside.csv 'ball\.v_0\[3\]' -2 1e-9

# Everything below is what mechanics says, in closed form or by an integration of one equation here.
names=$source/tests/models/StandardNames.mo
engine() { # MODEL MESSAGES: nothing falls back
    expect 0 "$2" simulate "$names" "StandardNames.$1" --library "$lib" --multibody engine --output-file "$1.csv" --quiet
    case "$text" in *"stays equations"*) complain "$1 falls back: $text" ;; esac
}
number() { awk -v g=9.80665 "BEGIN { pi = atan2(0, -1); printf \"%.12g\", $1 }"; }
# pendulum LENGTH ANGLE TIME: its angle then, by the method of Runge and Kutta
pendulum() {
    awk -v l="$1" -v x="$2" -v end="$3" 'function f(x) { return -9.80665 / l * sin(x) }
        BEGIN { n = 4000; h = end / n; v = 0
                for (i = 0; i < n; i++) {
                    k1 = v; m1 = f(x); k2 = v + h / 2 * m1; m2 = f(x + h / 2 * k1); k3 = v + h / 2 * m2; m3 = f(x + h / 2 * k2)
                    k4 = v + h * m3; m4 = f(x + h * k3)
                    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4); v += h / 6 * (m1 + 2 * m2 + 2 * m3 + m4)
                }
                printf "%.12g", x }'
}

engine Falls "" # 2 s
ends Falls.csv 'sensor\.r\[1\]' 2 1e-6
ends Falls.csv 'sensor\.r\[3\]' "$(number '10 - 1.62 / 2 * 4')" 1e-6
ends Falls.csv 'sensor\.v\[3\]' -3.24 1e-6
ends Falls.csv 'sensor\.a\[3\]' -1.62 1e-9

engine Orbit "" # half a turn
ends Orbit.csv 'body\.frame_a\.r_0\[1\]' -2 1e-6
ends Orbit.csv 'body\.frame_a\.r_0\[2\]' 0 1e-6

engine Arms "" # 1 s
ends Arms.csv 'a\.w' "$(number '2 * exp(-0.5 / (4 * (0.5^2 / 3 + 0.1^2 / 12)))')" 1e-6
ends Arms.csv 'b\.phi' "$(number '3 / 2 / (1000 * pi * 0.05^2 * 0.4 * (0.4^2 / 3 + 0.05^2 / 4))')" 1e-6
ends Arms.csv 'c\.phi' 2 1e-6
ends Arms.csv 'rotor\.phi' 30 1e-6
ends Arms.csv 'gyroscopic\.torque\[2\]' "$(number '2 * 0.05 * 30')" 1e-6 # its axis is turned at 2 rad/s
ends Arms.csv 'driven\.phi' "$(number '0.1 / 0.05 / 2')" 1e-6
ends Arms.csv 'slide\.s' 0.75 1e-6

engine Springs "" # 1 s
rest='(0.2 + 1.5 * g / 60)' # frequencies sqrt(40) 1/s, and 6 1/s with a decay of 2 1/s
s1="($rest + (0.3 - $rest) * cos(sqrt(40)))"
s2="($rest + (0.3 - $rest) * exp(-2) * (cos(6) + sin(6) / 3))"
ends Springs.csv 'down\.s' "$(number "$s1")" 1e-6
ends Springs.csv 'slow\.s' "$(number "$s2")" 1e-6
ends Springs.csv 'apart\.distance' "$(number "sqrt(1 + ($s1 - $s2)^2)")" 1e-6
ends Springs.csv 'cut\.force\[2\]' "$(number '5 * g')" 1e-9
ends Springs.csv 'bending\.torque\[3\]' "$(number '5 * g * 2 * cos(pi / 6)')" 1e-9
ends Springs.csv 'seen\.r_rel\[1\]' -2 1e-12
ends Springs.csv 'seen\.r_rel\[2\]' 0 1e-12

engine Parallelogram "*repeat others*" # 0.6 s
ends Parallelogram.csv 'left\.phi' "$(pendulum 0.5 1 0.6)" 1e-6
ends Parallelogram.csv 'right\.phi' "$(pendulum 0.5 1 0.6)" 1e-6
ends Parallelogram.csv 'pin\.phi' "$(pendulum 0.5 -1 0.6)" 1e-6

engine Free "" # 1 s
ends Free.csv 'free\.r_rel_a\[1\]' 5 1e-6
ends Free.csv 'free\.r_rel_a\[2\]' "$(number '7 - g / 2')" 1e-6
ends Free.csv 'free\.r_rel_a\[3\]' 9 1e-6
ends Free.csv 'planar\.s_x' 4 1e-6
ends Free.csv 'planar\.s_y' "$(number '6 - g / 2')" 1e-6
ends Free.csv 'planar\.phi' 5 1e-6
ends Free.csv 'pole\.s' "$(number '3 - g / 2')" 1e-6
ends Free.csv 'pole\.phi' 3 1e-6
ends Free.csv 'cross\.phi_a' 0 1e-9
ends Free.csv 'cross\.phi_b' "$(pendulum 1 0.1 1)" 1e-6

# One switch lets all bodies with shapes touch. What falls 0.2 m hits after sqrt(0.4 / g) s with sqrt(0.4 g), and comes back with 0.7 of that (steel).
# By Hertz the contact of the ball takes 1.7e-4 s, in which it would have gone 2.4e-4 m.
engine Dropped "" # 0.22 s
fallen=$(number '0.25 - g / 2 * 0.22^2')
for part in ball rod post brick; do ends Dropped.csv "$part\\.r_0\\[2\\]" "$fallen" 1e-6; done
expect 0 "" simulate "$names" StandardNames.Dropped --library "$lib" --multibody engine --output-file touching.csv --quiet --override world.contact=true
after='(0.22 - sqrt(0.4 / g))'
for part in ball rod post; do ends touching.csv "$part\\.r_0\\[2\\]" "$(number "0.05 + 0.7 * sqrt(0.4 * g) * $after - g / 2 * $after^2")" 3e-4; done
ends touching.csv 'brick\.r_0\[2\]' "$fallen" 1e-6
finish
