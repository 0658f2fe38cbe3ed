# label: normal
# `rattleback state`: a run that goes on from the state of another one ends where one run that was left alone does; a packing that
# has settled stays where it is when it is used again.
. "${0%/*}/expect.sh"

last() {
    awk -F , -v name="\"$1\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i } END { print $column }' "$2"
}
near() { awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !(a - b <= t && b - a <= t) }' || complain "$1: got $2, want $3"; }
says() { grep -q -- "$1" stdout.txt || complain "no '$1' in: $(cat stdout.txt)"; }

cat >M.mo <<'END'
model M
  import Rattleback.*;
  inner World world(gravity = {0, 0, -9.81});
  Parts.Solid ball(shape = Shapes.Sphere(0.08), r = {0, 0, 0.5}, v = {0.6, 0.3, 0}, w = {1, 2, 3}, angles = {0.1, 0.2, 0.3});
  Parts.Solid floor(shape = Shapes.Box(4, 4, 0.1), fixed = true, r = {0, 0, -0.05});
  Joints.Revolute hinge(n = {0, 1, 0}, phi(start = 0.3));
  Joints.Spherical knee(angles_start = {0.1, -0.2, 0.4}, w_rel_a_start = {0.5, 2, 1});
  Parts.Body rod(m = 1, r_CM = {0.3, 0, 0}, I_11 = 0.01, I_22 = 0.02, I_33 = 0.03), arm(m = 1, r_CM = {0.3, 0, 0}, I_11 = 0.01, I_22 = 0.02, I_33 = 0.03);
  Parts.Body free(m = 1, I_11 = 1, I_22 = 2, I_33 = 3, w_0_start = {1, 0.1, 3}, angles_start = {1, 0.5, 2});
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  connect(world.frame_b, hinge.frame_a);
  connect(hinge.frame_b, rod.frame_a);
  connect(rod.frame_a, knee.frame_a);
  connect(knee.frame_b, arm.frame_a);
  annotation(experiment(Tolerance = 1e-10));
end M;
END
expect 0 "" simulate M.mo --quiet --stop-time 0.6 --output-interval 0.01 --output-file all.rbj
expect 0 "" state all.rbj now.txt --at 0.2
says 'now.txt: 33 start values at t = 0.2 s'
expect 0 "" simulate M.mo --quiet --stop-time 0.4 --override-file now.txt --output-file rest.rbj
"$program" convert all.rbj all.csv && "$program" convert rest.rbj rest.csv
for name in 'ball.r_0[1]' 'ball.r_0[3]' 'ball.w_0[2]' 'ball.angles_0[1]' 'ball.angles_0[3]' hinge.phi hinge.w 'knee.w[1]' 'arm.r_0[1]' 'arm.r_0[2]' 'free.angles_0[2]' 'free.w_0[1]' x; do
    near "$name" "$(last "$name" rest.csv)" "$(last "$name" all.csv)" 1e-6
done
expect 2 "*'--at 7' is outside of the result: 0 to 0.6 s*" state all.rbj no.txt --at 7

# A box that sticks on a slope has states of its contact, which start anew.
cat >Slope.mo <<'END'
model Slope
  import Rattleback.*;
  inner World world(gravity = {2, 0, -9.6});
  Parts.Solid box(shape = Shapes.Box(0.08, 0.08, 0.08), material = "DryWood", r = {0, 0, 0.0401});
  Parts.Solid floor(shape = Shapes.Box(1, 1, 0.1), material = "DryWood", fixed = true, r = {0, 0, -0.05});
end Slope;
END
expect 0 "" simulate Slope.mo --quiet --stop-time 0.5 --output-file slope.rbj
expect 0 "" state slope.rbj slope.txt
says 'slope.txt: 12 start values'
expect 0 "" simulate Slope.mo --quiet --stop-time 0.5 --override-file slope.txt --output-file slope2.rbj
"$program" convert slope.rbj slope.csv && "$program" convert slope2.rbj slope2.csv
near "a box that sticks" "$(last 'box.r_0[1]' slope2.csv)" "$(last 'box.r_0[1]' slope.csv)" 2e-5 # its bristles, some 10 um long, stretch again

# A flexible part starts undeformed: its modes are not written.
cat >Bends.mo <<'END'
model Bends
  import Rattleback.*;
  inner World world;
  Joints.Revolute hinge(n = {0, 0, 1});
  Parts.FlexibleBeam arm(length = 1, width = 0.02, density = 2000, E = 1e9);
equation
  connect(world.frame_b, hinge.frame_a);
  connect(hinge.frame_b, arm.frame_a);
end Bends;
END
expect 0 "" simulate Bends.mo --quiet --stop-time 0.1 --output-file bends.rbj
expect 0 "*note: 'arm' starts undeformed*" state bends.rbj bends.txt
says 'bends.txt: 2 start values'
expect 0 "" simulate Bends.mo --quiet --stop-time 0.1 --override-file bends.txt --output-file bends2.rbj

cat >Pack.mo <<'END'
package Pack
  import Rattleback.*;
  partial model Box
    inner World world(gravity = {0, 0, -9.81});
    Parts.Solid floor(shape = Shapes.Box(0.2, 0.2, 0.02), fixed = true, r = {0, 0, -0.01});
    Parts.Solid w1(shape = Shapes.Box(0.02, 0.2, 0.3), fixed = true, r = {0.04, 0, 0.1}), w2(shape = Shapes.Box(0.02, 0.2, 0.3), fixed = true, r = {-0.04, 0, 0.1});
    Parts.Solid w3(shape = Shapes.Box(0.2, 0.02, 0.3), fixed = true, r = {0, 0.04, 0.1}), w4(shape = Shapes.Box(0.2, 0.02, 0.3), fixed = true, r = {0, -0.04, 0.1});
  end Box;
  model Pour
    extends Box;
    Particles.Random beads(n = 150, radius = 0.004, spread = 0.1, low = {-0.025, -0.025, 0.01}, high = {0.025, 0.025, 0.15}, E = 1e6, mu_r = 0.05, e = 0.3);
  end Pour;
  model Again
    extends Box;
    Particles.File beads(fileName = "start-particles.csv", E = 1e6, mu_r = 0.05, e = 0.3);
    Particles.BoxSensor all(low = {-1, -1, -1}, high = {1, 1, 1});
  end Again;
end Pack;
END
expect 0 "" simulate Pack.mo Pack.Pour --quiet --stop-time 1 --particle-results place:1e-9,velocity --output-file pour.rbj
expect 0 "" state pour.rbj start.txt
says 'start-particles.csv: 150 particles, for Particles.File'
expect 0 "" simulate Pack.mo Pack.Again --quiet --stop-time 0.1 --output-file again.csv
# 150 beads of 0.67 g: a height of 1 um is 1 uJ; poured out again they would have 0.1 J.
near "kinetic energy of the settled packing" "$(last grains.kinetic again.csv)" 0 2e-6
near "how many" "$(last all.count again.csv)" 150 0
finish
