# Linear analysis as a user meets it: a motor against its transfer function, read back by python.
. "$(dirname "$0")/expect.sh"

cat > Motor.mo <<'EOF'
model Motor
  input Real u(start = 2);
  parameter Real R = 0.5, L = 2e-3, k = 0.1, J = 1e-3, d = 1e-4;
  Real i(start = 0, fixed = true), w(start = 0, fixed = true);
  output Real y = 2*w + 3*u;
equation
  L*der(i) = u - R*i - k*w;
  J*der(w) = k*i - d*w;
end Motor;
EOF
expect 0 "" linearize Motor.mo --at rest --outputs w,y --output-file m.mat --response r.csv --frequencies 0.1:1e4:50 --point p.txt
python3 - <<'EOF' || complain "results"
import cmath, csv, math, struct
m, data, at = {}, open("m.mat", "rb").read(), 0
while at < len(data):
    kind, rows, columns, _, length = struct.unpack_from("<5i", data, at)
    name, at = data[at + 20:at + 20 + length - 1].decode(), at + 20 + length
    n, size = rows * columns, 1 if kind == 51 else 8
    m[name] = data[at:at + n].decode() if kind == 51 else struct.unpack_from("<%dd" % n, data, at)
    at += n * size
    if kind == 51: m[name] = ["".join(m[name][k * rows + i] for k in range(columns)).strip() for i in range(rows)]
assert m["states"] == ["i", "w"] and m["inputs"] == ["u"] and m["outputs"] == ["w", "y"], m
A = dict(zip(("ii", "wi", "iw", "ww"), m["A"])) # column after column
for key, want in (("ii", -250), ("wi", 100), ("iw", -50), ("ww", -0.1)): assert abs(A[key] - want) < 1e-6 * abs(want), A
assert abs(m["B"][0] - 500) < 1e-6 and abs(m["D"][1] - 3) < 1e-9
root = cmath.sqrt(250.1 ** 2 / 4 - (250 * 0.1 + 5000))
want = sorted([-125.05 + root.real, -125.05 - root.real], key=abs)
assert all(abs(a - b) < 1e-6 for a, b in zip(m["eigenvalues"][:2], want)), m["eigenvalues"]
for row in csv.reader(open("r.csv")):
    if row[0].startswith("f"): continue
    s = 2j * math.pi * float(row[0])
    g = 0.1 / ((0.5 + 2e-3 * s) * (1e-4 + 1e-3 * s) + 0.01)
    assert abs(float(row[1]) - 20 * math.log10(abs(g))) < 1e-6, row
    assert abs((float(row[2]) - math.degrees(cmath.phase(g)) + 180) % 360 - 180) < 1e-6, row
point = dict(line.strip().split("=") for line in open("p.txt"))
assert abs(float(point["w"]) - 2 / (0.5 * 1e-4 / 0.1 + 0.1)) < 1e-7
EOF
expect 2 "*the run has no variable 'q'*" linearize Motor.mo --outputs q
expect 2 "*'w' is no input of the model*" linearize Motor.mo --inputs w
expect 2 "*'--at' is a time \[s] or 'rest', not 'soon'*" linearize Motor.mo --at soon
expect 2 "*a response needs inputs and outputs*" linearize Motor.mo --response r.csv
expect 2 "*'--frequencies' is FROM:TO*" linearize Motor.mo --outputs w --response r.csv --frequencies 5:1
expect 6 "*nowhere/m.mat*cannot write*" linearize Motor.mo --output-file nowhere/m.mat
finish
