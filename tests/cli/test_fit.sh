# label: normal
# sanitizers: full (hundreds of short runs in processes of their own)
# Parameters from measured signals. What was measured is made by python: an integration of its own, closed forms, and noise.
. "$(dirname "$0")/expect.sh"

cat > Models.mo <<'EOF'
package Models
  model Pendulum
    parameter Real J = 1, d = 0.1, phi0 = 0.5;
    Real phi(start = phi0, fixed = true), w(start = 0, fixed = true);
  equation
    der(phi) = w;
    J*der(w) = -9.81*sin(phi) - d*w;
  end Pendulum;
  model Ball
    parameter Real e = 0.7, g = 9.81, h0 = 1;
    Real h(start = h0, fixed = true), v(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -g;
    when h < 0 then reinit(v, -e*v); end when;
  end Ball;
  model Motor
    parameter Real R = 1, L = 1e-2, k = 0.2, J = 2e-3, d = 1e-3, u = 2;
    Real i(start = 0, fixed = true), w(start = 0, fixed = true);
  equation
    L*der(i) = u - R*i - k*w;
    J*der(w) = k*i - d*w;
  end Motor;
end Models;
EOF

cat > measure.py <<'EOF'
import math, random, sys
random.seed(int(sys.argv[2]))
def write(file, names, rows):
    with open(file, "w") as f:
        f.write("time," + ",".join(names) + "\n")
        for row in rows: f.write(",".join("%.17g" % v for v in row) + "\n")
def runge_kutta(f, y, t, h=2e-3):
    now, out = 0.0, []
    for at in t:
        n = max(1, round((at - now) / h))
        d = (at - now) / n
        for _ in range(n):
            add = lambda a, b, s: [p + s * q for p, q in zip(a, b)]
            k1 = f(y); k2 = f(add(y, k1, d / 2)); k3 = f(add(y, k2, d / 2)); k4 = f(add(y, k3, d))
            y = [p + d / 6 * (a + 2 * b + 2 * c + e) for p, a, b, c, e in zip(y, k1, k2, k3, k4)]
        now = at
        out.append(y)
    return out
def ball(t, e, g, h0):
    v, start = math.sqrt(2 * g * h0), math.sqrt(2 * h0 / g)
    if t < start: return h0 - g * t * t / 2
    while True:
        v *= e
        if t < start + 2 * v / g: return v * (t - start) - g * (t - start) ** 2 / 2
        start += 2 * v / g
if sys.argv[1] == "pendulum":
    for k, phi in enumerate((0.5, 1.5)):
        t = [0.1 * i for i in range(1, 51)]
        y = runge_kutta(lambda y: [y[1], (-9.81 * math.sin(y[0]) - 0.35 * y[1]) / 1.7], [phi, 0.0], t)
        write("p%d.csv" % k, ["phi"], [[a, b[0] + random.gauss(0, 0.01)] for a, b in zip(t, y)])
if sys.argv[1] == "ball":
    for k, h0 in enumerate((0.5, 1.0, 1.5)):
        t = [0.013 * i for i in range(1, 101)]
        write("b%d.csv" % k, ["h"], [[a, ball(a, 0.82, 9.7, h0) + random.gauss(0, 0.002)] for a in t])
if sys.argv[1] == "motor":
    t = [5e-4 * i for i in range(1, 401)]
    f = lambda y: [(2 - 0.5 * y[0] - 0.1 * y[1]) / 2e-3, (0.1 * y[0] - 1e-4 * y[1]) / 1e-3]
    write("m.csv", ["i", "w"], [[a] + b for a, b in zip(t, runge_kutta(f, [0.0, 0.0], t, 1e-5))])
EOF

# Two parameters of a pendulum from two swings, three drops of a ball through its impacts: 95 of 100 must lie within their stated confidence. With 20 seeds each, 16 are
# the least that chance allows with 99.7 %.
seed=1
while [ $seed -le 20 ]; do
    python3 measure.py pendulum $seed
    python3 measure.py ball $seed
    "$program" fit Models.mo Models.Pendulum --fit J=0.1:1:10 --fit d=0:0.1:5 --data p0.csv:phi0=0.5 --data p1.csv:phi0=1.5 >>pendulum.txt 2>&1
    "$program" fit Models.mo Models.Ball --fit e=0.5:0.8:0.99 --fit g=9:9.81:10 --data b0.csv:h0=0.5 --data b1.csv:h0=1 --data b2.csv:h0=1.5 >>ball.txt 2>&1
    seed=$((seed + 1))
done
# within FILE NAME VALUE
within() {
    sed -n "s/^$2 = \([^ ]*\) +- \([^ ]*\).*/\1 \2/p" "$1" | awk -v want="$3" '{ d = $1 - want; if (d < 0) d = -d; n += d <= $2 } END { print n + 0 }'
}
for check in "pendulum.txt J 1.7" "pendulum.txt d 0.35" "ball.txt e 0.82" "ball.txt g 9.7"; do
    # shellcheck disable=SC2086 # three words
    count=$(within $check)
    [ "$count" -ge 16 ] || complain "$check: $count of 20 within the stated confidence: $(tail -n 5 pendulum.txt ball.txt)"
done

# Five parameters of a motor from its step response, without noise, from guesses that are off by a factor of two and more.
python3 measure.py motor 1
expect 0 "" fit Models.mo Models.Motor --fit R=0.05:1:5 --fit L=1e-4:1e-2:0.1 --fit k=0.01:0.2:1 --fit J=1e-4:2e-3:0.1 --fit d=0:1e-3:0.1 --data m.csv --output-file fit.csv
python3 - <<'EOF' || complain "motor: $(cat stdout.txt)"
import re
got = dict(re.findall(r"^(\w+) = (\S+)", open("stdout.txt").read(), re.M))
for name, want in (("R", 0.5), ("L", 2e-3), ("k", 0.1), ("J", 1e-3), ("d", 1e-4)):
    assert abs(float(got[name]) / want - 1) < 1e-4, (name, got[name], want)
EOF
"$program" plot fit.csv w 'w measured' --output-file fit.svg 2>stderr.txt || complain "$(cat stderr.txt)"

# What the data do not tell apart, and wrong input.
expect 0 "" fit Models.mo Models.Motor --fit u=0.1:1:10 --fit R=0.4:0.5:0.6 --override k=0.1 --data m.csv
expect 2 "*name what is unknown*" fit Models.mo Models.Ball --data b0.csv
expect 2 "*give what was measured*" fit Models.mo Models.Ball --fit e=0.5:0.8:1
expect 2 "*'--fit e=2:1:3' is not of the form*" fit Models.mo Models.Ball --fit e=2:1:3 --data b0.csv
expect 2 "*the model has no parameter 'q'*" fit Models.mo Models.Ball --fit q=0:1:2 --data b0.csv
expect 6 "*none.csv*" fit Models.mo Models.Ball --fit e=0.5:0.8:1 --data none.csv
printf 'time,z\n0,1\n1,2\n2,3\n' >z.csv
expect 2 "*the run has no variable 'z'*" fit Models.mo Models.Ball --fit e=0.5:0.8:1 --data z.csv
finish
