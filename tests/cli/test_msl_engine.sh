# label: full
# Classes of Modelica.Mechanics.MultiBody as equations and by the engine are the same: every variable that both have, sensors in all axes,
# second frames of visual parts, sizes that the world chooses, drives without effects in three dimensions. RATTLEBACK_MSL names the folder with
# the packages Modelica and ModelicaServices; without it nothing is tested.
. "$(dirname "$0")/expect.sh"

if [ ! -d "${RATTLEBACK_MSL:-/nowhere}/Modelica" ]; then
    echo "RATTLEBACK_MSL does not name the library: not tested" >&2
    finish
fi
cat >Both.mo <<'MODEL'
package Both
  import Modelica.Mechanics.MultiBody.*;
  model Sense
    inner World world(defaultWidthFraction = 8, animateWorld = false);
    Joints.Revolute a(n = {0, 0.3, 1}, phi(start = 0.3, fixed = true), w(start = 1, fixed = true), cylinderDiameter = 0.1);
    Parts.BodyBox box(r = {0.4, 0.1, 0});
    Joints.Revolute b(n = {0, 1, 0}, phi(start = 0.5, fixed = true), w(start = -2, fixed = true));
    Parts.BodyCylinder rod(r = {0.2, 0, 0.1}, color = {1, 2, 3});
    Visualizers.FixedShape2 far(r = {0.1, 0.2, 0.3});
    Parts.Body end_(m = 0.3, r_CM = {0, 0, 0.1}, sphereColor = {1, 2, 3}, animation = false);
    Visualizers.FixedShape2 one;
    Parts.Body end1(m = 0.1, r_CM = {0, 0, 0});
    Sensors.AbsolutePosition p;
    Sensors.AbsoluteVelocity v;
    Sensors.AbsoluteAngularVelocity w;
    Sensors.RelativeVelocity rv_a;
    Sensors.RelativeVelocity rv_b(resolveInFrame = Types.ResolveInFrameAB.frame_b);
    Sensors.RelativeVelocity rv_w(resolveInFrame = Types.ResolveInFrameAB.world);
    Sensors.RelativeVelocity rv_r(resolveInFrame = Types.ResolveInFrameAB.frame_resolve);
    Sensors.AbsoluteSensor all_(get_v = true, get_a = true, get_w = true, get_z = true, get_angles = true, animation = false, sequence = {3, 1, 2}, guessAngle1 = 0.2);
    Sensors.RelativeSensor rel(get_v_rel = true, get_a_rel = true, get_w_rel = true, get_z_rel = true, get_angles = true, resolveInFrame = Types.ResolveInFrameAB.frame_b);
    Sensors.CutForce cf;
    Sensors.CutTorque ct;
    Sensors.Distance dist;
  equation
    connect(world.frame_b, a.frame_a);
    connect(a.frame_b, box.frame_a);
    connect(box.frame_b, cf.frame_a);
    connect(cf.frame_b, ct.frame_a);
    connect(ct.frame_b, b.frame_a);
    connect(b.frame_b, rod.frame_a);
    connect(rod.frame_b, far.frame_a);
    connect(far.frame_b, end_.frame_a);
    connect(far.frame_b, one.frame_a);
    connect(one.frame_b, end1.frame_a);
    connect(p.frame_a, end_.frame_a);
    connect(v.frame_a, end_.frame_a);
    connect(w.frame_a, end_.frame_a);
    connect(all_.frame_a, end_.frame_a);
    connect(box.frame_a, rv_a.frame_a); connect(end_.frame_a, rv_a.frame_b);
    connect(box.frame_a, rv_b.frame_a); connect(end_.frame_a, rv_b.frame_b);
    connect(box.frame_a, rv_w.frame_a); connect(end_.frame_a, rv_w.frame_b);
    connect(box.frame_a, rv_r.frame_a); connect(end_.frame_a, rv_r.frame_b); connect(rv_r.frame_resolve, rod.frame_a);
    connect(box.frame_a, rel.frame_a); connect(end_.frame_a, rel.frame_b);
    connect(box.frame_a, dist.frame_a); connect(end_.frame_a, dist.frame_b);
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Sense;
  model Drive
    inner World world(driveTrainMechanics3D = false);
    Joints.Revolute a(n = {0, 1, 0}, phi(start = 0.3, fixed = true), w(start = 1, fixed = true), useAxisFlange = true);
    Parts.BodyBox box(r = {0.4, 0.1, 0});
    Parts.Rotor1D rotor(J = 0.1, n = {1, 0, 0}, w(start = 20, fixed = true), phi(start = 0, fixed = true));
    Parts.Mounting1D mount(n = {1, 0, 0});
    Modelica.Mechanics.Rotational.Components.SpringDamper d(c = 10, d = 0.1);
  equation
    connect(world.frame_b, a.frame_a);
    connect(a.frame_b, box.frame_a);
    connect(rotor.frame_a, box.frame_a);
    connect(mount.frame_a, box.frame_a);
    connect(mount.flange_b, d.flange_a);
    connect(d.flange_b, rotor.flange_a);
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Drive;
  model Tilted "Axes that are no unit vectors: a mounting takes them as they are, a rotor their direction"
    inner World world(driveTrainMechanics3D = true);
    Joints.Universal j(n_a = {1, 0, 0}, n_b = {0, 1, 0}, phi_a(start = 0.3, fixed = true), w_a(fixed = true), phi_b(start = 0.2, fixed = true), w_b(fixed = true));
    Parts.Body b(m = 1, r_CM = {0.3, 0, 0.1}, I_11 = 0.1, I_22 = 0.2, I_33 = 0.15);
    Parts.Rotor1D rotor(J = 0.05, n = {0.3, 1, 0.2}, w(start = 60, fixed = true), phi(fixed = true));
    Parts.Mounting1D mount(n = {0.3, 1, 0.2});
    Modelica.Mechanics.Rotational.Sources.ConstantTorque t(tau_constant = 0.4, useSupport = true);
  equation
    connect(world.frame_b, j.frame_a);
    connect(j.frame_b, b.frame_a);
    connect(rotor.frame_a, b.frame_a);
    connect(mount.frame_a, b.frame_a);
    connect(mount.flange_b, t.support);
    connect(t.flange, rotor.flange_a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-9));
  end Tilted;
end Both;
MODEL
# same MODEL: 1e-5 of the larger of 1 and the largest value
same() {
    for how in equations engine; do
        expect 0 "" simulate Both.mo "Both.$1" --library "$RATTLEBACK_MSL" --multibody $how --output-file $how.csv --output-interval 0.1 --variable-filter '[^,]*' --quiet
    done
    awk -F , '
        function name(text) { gsub(/"/, "", text); return text }
        FNR == 1 { file++; n = split(name($0), x, ","); for (i = 1; i <= n; i++) title[file, i] = x[i]; next }
        file == 1 { for (i = 1; i <= NF; i++) { a[title[1, i], FNR] = $i; m = $i < 0 ? -$i : $i; if (m > top[title[1, i]]) top[title[1, i]] = m }; next }
        { for (i = 1; i <= NF; i++) { t = title[2, i]; if (!((t, FNR) in a)) continue; common[t] = 1; d = $i - a[t, FNR]; if (d < 0) d = -d
              if (!(d <= 1e-5 * (top[t] > 1 ? top[t] : 1))) { print t " differs by " d; bad = 1; exit } } }
        END { for (t in common) n_common++; if (n_common < '"$2"') { print n_common " common variables, want '"$2"'"; bad = 1 }; exit bad }
    ' equations.csv engine.csv >difference.txt || complain "$1: $(cat difference.txt)"
}
same Sense 100
same Drive 40
same Tilted 20
finish
