# label: fast
# --multibody: classes of Modelica.Mechanics.MultiBody by the engine. The library here has the names of the standard one and
# little else; with its equations a pendulum hangs still, so that it is seen who has moved it.
. "$(dirname "$0")/expect.sh"

mkdir -p lib/Modelica
cat >lib/Modelica/package.mo <<'MODEL'
package Modelica
  package Mechanics
    package MultiBody
      model World
        parameter Real g = 9.80665, n[3] = {0, -1, 0};
        Interfaces.Frame_b frame_b;
      equation
        frame_b.r_0 = zeros(3);
      end World;
      package Interfaces
        connector Frame
          Real r_0[3];
          flow Real f[3];
        end Frame;
        connector Frame_a = Frame;
        connector Frame_b = Frame;
      end Interfaces;
      package Joints
        model Revolute "As equations it never moves"
          Interfaces.Frame_a frame_a;
          Interfaces.Frame_b frame_b;
          parameter Real n[3] = {0, 0, 1};
          parameter Boolean useAxisFlange = false, animation = true;
          parameter Real cylinderDiameter = 0.1, armLength = 1;
          Real phi(start = 0), w(start = 0);
        equation
          der(phi) = 0;
          w = 0;
          connect(frame_a, frame_b);
        end Revolute;
        model Assembly "The engine does not know it"
          Interfaces.Frame_a frame_a;
          Interfaces.Frame_b frame_b;
        equation
          frame_a.r_0 = frame_b.r_0;
          frame_a.f + frame_b.f = zeros(3);
        end Assembly;
      end Joints;
      package Parts
        model Body
          Interfaces.Frame_a frame_a;
          parameter Real m = 1, r_CM[3] = zeros(3), I_11 = 0.001, I_22 = 0.001, I_33 = 0.001;
        equation
          frame_a.f = zeros(3);
        end Body;
      end Parts;
    end MultiBody;
  end Mechanics;
end Modelica;
MODEL
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

expect 0 "*" simulate Pendulum.mo Pendulum.Bare --library lib --output-file a.csv --quiet
ends a.csv 'hinge\.phi' 0.1 0
# A mathematical pendulum: sqrt(g/l) with the correction of its amplitude, 1 - 0.1^2/16.
expect 0 "*" simulate Pendulum.mo Pendulum.Bare --library lib --multibody engine --output-file b.csv --quiet
ends b.csv 'hinge\.phi' "$(awk 'BEGIN { print 0.1 * cos(2 * sqrt(9.80665) * (1 - 0.01 / 16)) }')" 1e-4

expect 0 "*Modelica.Mechanics.MultiBody stays equations here*'assembly.frame_a'*" \
    simulate Pendulum.mo Pendulum.Unknown --library lib --multibody engine --output-file c.csv
ends c.csv 'hinge\.phi' 0.1 0
# Nothing that is modified is left out unsaid, however its name sounds.
expect 0 "*stays equations here*has no element 'armLength'*" \
    simulate Pendulum.mo Pendulum.Meant --library lib --multibody engine --output-file e.csv
ends e.csv 'hinge\.phi' 0.1 0
# What is wrong with both is told as without the engine.
expect 1 "*has no element 'axes' that could be modified*" \
    simulate Pendulum.mo Pendulum.Misspelled --library lib --multibody engine --output-file d.csv
expect 2 "*option '--multibody' is 'equations' or 'engine', not 'both'*" \
    simulate Pendulum.mo Pendulum.Bare --library lib --multibody both
finish
