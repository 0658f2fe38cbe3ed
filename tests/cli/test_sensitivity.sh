# label: normal
# sanitizers: full (dozens of runs in processes of their own)
# Sensitivities along the run against closed forms: smooth, through impacts, through a joint that breaks; through elastic contact against
# central differences of runs with another step.
. "$(dirname "$0")/expect.sh"

cat > Decay.mo <<'EOT'
model Decay
  parameter Real k = 2;
  Real x(start = 3, fixed = true);
equation
  der(x) = -k*x;
  annotation(experiment(StopTime = 2));
end Decay;
EOT
cat > Ball.mo <<'EOT'
model Ball
  parameter Real e = 0.8, g = 9.81, h0 = 1;
  Real h(start = h0, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h < 0 then reinit(v, -e*v); end when;
  annotation(experiment(StopTime = 2.5));
end Ball;
EOT
cat > Drop.mo <<'EOT'
model Drop "A steel ball on a plate, by elastic contact"
  import Rattleback.*;
  parameter Real h0 = 0.1;
  inner World world(gravity = {0, 0, -9.81});
  Parts.Solid plate(shape = Shapes.Box(1, 1, 0.1), r = {0, 0, -0.05}, material = "Steel", fixed = true, collidable = true);
  Parts.Solid ball(shape = Shapes.Sphere(diameter = 0.1), r = {0, 0, 0.05 + h0}, material = "Steel", fixed = false, collidable = true);
  annotation(experiment(StopTime = 0.5));
end Drop;
EOT
cp "$source/examples/modelica/BreakingPendulum.mo" .

expect 0 "*sensitivities: Decay_sensitivity.csv*" simulate Decay.mo --sensitivity k,x
expect 0 "*sensitivities: ball.csv*" simulate Ball.mo --sensitivity e,g,h0 --sensitivity-file ball.csv --jobs 2
expect 0 "*sensitivities: pin.mat*" simulate BreakingPendulum.mo --sensitivity limit --sensitivity-file pin.mat --variable-filter 'bob.r_0.*'
"$program" convert pin.mat pin.csv || complain "pin.mat cannot be read"
expect 0 "*" simulate Drop.mo --sensitivity h0 --sensitivity-file drop.csv --variable-filter 'ball.[rv]_0.3.'
for h0 in 0.09998 0.10002; do
    expect 0 "*" simulate Drop.mo --override h0=$h0 --tolerance 1e-10 --output-file drop$h0.csv --variable-filter 'ball.[rv]_0.3.'
done
for left in *.run*.rbj; do [ -e "$left" ] && complain "$left is still there"; done

cat > check.py <<'EOT'
import csv, math
from decimal import Decimal, getcontext
getcontext().prec = 50
def read(file):
    return [{k.strip('"'): float(v) if v else math.nan for k, v in row.items()} for row in csv.DictReader(open(file))]
def check(what, got, want, tolerance, scale):
    assert abs(got - want) <= tolerance * scale, (what, got, want)

for r in read("Decay_sensitivity.csv"):
    t = r["time"]
    check("x by k", r["d(x)/d(k)"], -3 * t * math.exp(-2 * t), 5e-7, 1)
    check("x by its start", r["d(x)/d(x)"], math.exp(-2 * t), 5e-7, 1)
    check("der(x) by k", r["d(der(x))/d(k)"], (6 * t - 3) * math.exp(-2 * t), 5e-7, 1)

# The closed form of a ball in 50 digits, differentiated by a step of 1e-15.
def height(t, p):
    e, g, h0 = (p[n] for n in ("e", "g", "h0"))
    v, start, n = (2 * g * h0).sqrt(), (2 * h0 / g).sqrt(), 0
    if t < start: return h0 - g * t * t / 2, -g * t, 0
    while True:
        v *= e
        n += 1
        if t < start + 2 * v / g: return v * (t - start) - g * (t - start) ** 2 / 2, v - g * (t - start), n
        start += 2 * v / g
p = {"e": Decimal("0.8"), "g": Decimal("9.81"), "h0": Decimal(1)}
d, lacking, bounces = Decimal("1e-15"), 0, 0
for r in read("ball.csv"):
    t = Decimal(r["time"])
    for name in p:
        up, down = height(t, {**p, name: p[name] + d}), height(t, {**p, name: p[name] - d})
        if up[2] != down[2]: continue
        bounces = max(bounces, up[2])
        for i, signal in enumerate(("h", "v")):
            got = r["d(%s)/d(%s)" % (signal, name)]
            if math.isnan(got): lacking += 1
            else: check((signal, name, float(t)), got, float((up[i] - down[i]) / (2 * d)), 1e-5, (5, 50)[i])
assert bounces == 4 and lacking == 0, (bounces, lacking)

# After the break at cos(phi) = limit/(3 m g) the bob flies freely. The time of the break is the integral of 1/speed.
m, g, limit = 2, 9.81, 50
def fall(limit):
    c = limit / (3 * m * g)
    s, w = math.sqrt(1 - c * c), math.sqrt(2 * g * c)
    return c, s, w
c, s, w = fall(limit)
dc = 1 / (3 * m * g)
dphi, dw = -dc / s, g / w * dc          # of angle and speed at the break
dtau = -dphi / w                        # d(phi)/dt = -w
n, total = 20000, 0                     # tau = integral of dx/sqrt(2 g sin x) from 0, with x = u^2
top = math.sqrt(math.pi / 2 - math.acos(c))
for i in range(n):
    u = (i + 0.5) / n * top
    total += 2 * u / math.sqrt(2 * g * math.sin(u * u)) * top / n
for r in read("pin.csv"):
    t = r["time"]
    if t < total - 1e-3:
        check("before the break", r["d(bob.r_0[1])/d(limit)"], 0, 1e-9, 1)
        continue
    if t < total + 1e-3: continue
    # place (s, -c), speed w (-c, -s) at the break, in the plane
    after = t - total
    dx = c * dphi + after * (-dw * c + w * s * dphi) + w * c * dtau
    dy = s * dphi + after * (-dw * s - w * c * dphi) - (-w * s - g * after) * dtau
    check(("x", t), r["d(bob.r_0[1])/d(limit)"], dx, 1e-6, 1)
    check(("y", t), r["d(bob.r_0[2])/d(limit)"], dy, 1e-6, 1)

# Elastic contact: three impacts, rows next to which no impact falls.
rows = {}
for file in ("drop0.09998.csv", "drop0.10002.csv"):
    for r in read(file): rows.setdefault(r["time"], []).append(r)
found = 0
for r in read("drop.csv"):
    pair = rows[r["time"]]
    if len(pair) != 2: continue
    up, down = pair[1], pair[0]
    if up["ball.r_0[3]"] < 0.0502 or abs(up["ball.v_0[3]"] - down["ball.v_0[3]"]) > 0.01: continue
    for signal, scale in (("ball.r_0[3]", 1), ("ball.v_0[3]", 30)):
        got, want = r["d(%s)/d(h0)" % signal], (up[signal] - down[signal]) / 4e-5
        if math.isnan(got): continue
        check((signal, r["time"]), got, want, 1e-4, scale)
        found += 1
assert found > 900, found
EOT
python3 check.py || complain "sensitivities"

expect 2 "*no variable 'q'*" simulate Decay.mo --sensitivity q
expect 2 "*give an '--output-interval' above 0*" simulate Decay.mo --sensitivity k --output-interval 0
expect 2 "*to a .csv or .mat file, not to 's.txt'*" simulate Decay.mo --sensitivity k --sensitivity-file s.txt
finish
