#!/bin/sh
# label: full
# A clamped box of ten-node tetrahedra against CalculiX (ccx): the same mesh and its weight. Displacements agree to 1e-6; frequencies to 0.1 %
# up to the sixth and to 0.4 % up to the twelfth, as CalculiX integrates the mass at four points.
program=$1
command -v ccx >/dev/null && command -v python3 >/dev/null || { echo "ccx or python3 is not there: not compared"; exit 0; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
fail() {
    echo "$1" >&2
    exit 1
}

# 0.5 x 0.1 x 0.1 m, 20 x 4 x 4 bricks of six tetrahedra.
python3 - <<'EOF' || exit 1
n, size = (20, 4, 4), (0.5, 0.1, 0.1)
count = [2 * k + 1 for k in n]
number = lambda p: 1 + p[0] + count[0] * (p[1] + count[1] * p[2])
points = [(i, j, k) for k in range(count[2]) for j in range(count[1]) for i in range(count[0])]
lines = ["*NODE, NSET=ALL"] + ["%d, %.12g, %.12g, %.12g" % (number(p), *(size[a] * p[a] / (2 * n[a]) for a in range(3))) for p in points]
lines.append("*ELEMENT, TYPE=C3D10, ELSET=EALL")
paths = [(0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (0, 5, 1, 7)]
edges = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
element = 0
for z in range(n[2]):
    for y in range(n[1]):
        for x in range(n[0]):
            for path in paths:
                corner = [(2 * x + 2 * (c & 1), 2 * y + 2 * (c >> 1 & 1), 2 * z + 2 * (c >> 2)) for c in path]
                middle = [tuple((corner[a][t] + corner[b][t]) // 2 for t in range(3)) for a, b in edges]
                element += 1
                lines.append("%d, " % element + ", ".join(str(number(p)) for p in corner + middle))
for name, i in (("ROOT", 0), ("TIP", count[0] - 1)):
    lines += ["*NSET, NSET=" + name] + ["%d," % number(p) for p in points if p[0] == i]
open("mesh.inp", "w").write("\n".join(lines) + "\n")
EOF
cat >box.inp <<'EOF'
*INCLUDE, INPUT=mesh.inp
*MATERIAL, NAME=M
*ELASTIC
2.1E11, 0.3
*DENSITY
7850
*SOLID SECTION, ELSET=EALL, MATERIAL=M
*BOUNDARY
ROOT, 1, 3
*STEP
*FREQUENCY
12
*END STEP
*STEP
*STATIC
*DLOAD
EALL, GRAV, 10, 0., 0., -1.
*NODE PRINT, NSET=TIP
U
*END STEP
EOF
cat >Box.mo <<'EOF'
model Box
  import Rattleback.*;
  inner World world(gravity = {0, 0, -10}, steadyStart = true);
  Parts.FlexibleBody box(fileName = "mesh.inp", E = 2.1e11, nu = 0.3, density = 7850, modes = 24, zeta = 0.001,
    interfaces = {Parts.Interface(nodes = "ROOT"), Parts.Interface(nodes = "TIP", rigid = false)});
  Sensors.RelativePosition tip;
equation
  connect(world.frame_b, box.frames[1]);
  connect(box.frames[1], tip.frame_a);
  connect(box.frames[2], tip.frame_b);
  annotation(experiment(StopTime = 0.001));
end Box;
EOF
ccx box >ccx.log 2>&1 || fail "ccx failed: $(tail -3 ccx.log)"
"$program" simulate Box.mo --output-file Box.csv --quiet || fail "no run"
"$program" linearize Box.mo >modes.txt || fail "no frequencies"
python3 - <<'EOF'
import csv
rows = list(csv.reader(open("Box.csv")))
tip = float(rows[-1][rows[0].index("tip.r_rel[3]")])
text = open("box.dat").read()
table = [line.split() for line in text[text.index("displacements"):].split("\n")[2:]]
given = [float(w[3]) for w in table if len(w) == 4]
mean = sum(given) / len(given)
assert len(given) == 81 and abs(tip / mean - 1) < 1e-6, (tip, mean)
other = [float(w[3]) for w in (line.split() for line in text.split("\n")) if len(w) == 5 and w[0].isdigit()][:12]
own = [float(line.split()[3]) for line in open("modes.txt").read().split("\n")[2:14]]
for k in range(12):
    assert abs(own[k] / other[k] - 1) < (1e-3 if k < 6 else 4e-3), (k, own[k], other[k])
print("tip %.3g of itself apart, frequencies at most %.3g" % (abs(tip / mean - 1), max(abs(a / b - 1) for a, b in zip(own, other))))
EOF
