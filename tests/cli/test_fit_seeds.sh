# label: full
# The stated 95 % confidence of a fit over 100 seeds of noise: restitution, friction and air drag of a ball from three drops, five parameters of a
# motor from a step response. What was measured is made by python: closed forms between impacts, an integration of its own, and noise.
# If the confidence is right, 88 of 100 are the least that chance allows with 99.6 %.
. "$(dirname "$0")/expect.sh"

cat > Models.mo <<'EOT'
package Models
  model Ball "Impacts with restitution and sliding friction, linear drag"
    parameter Real e = 0.7, mu = 0.1, c = 0.1, h0 = 1, speed = 3;
    Real x(start = 0, fixed = true), h(start = h0, fixed = true), vx(start = speed, fixed = true), vh(start = 0, fixed = true);
  equation
    der(x) = vx;
    der(h) = vh;
    der(vx) = -c*vx;
    der(vh) = -9.81 - c*vh;
    when h < 0 then
      reinit(vx, vx + mu*(1 + e)*vh);
      reinit(vh, -e*vh);
    end when;
  end Ball;
  model Motor
    parameter Real R = 1, L = 1e-2, k = 0.2, J = 2e-3, d = 1e-3;
    Real i(start = 0, fixed = true), w(start = 0, fixed = true);
  equation
    L*der(i) = 2 - R*i - k*w;
    J*der(w) = k*i - d*w;
  end Motor;
end Models;
EOT
cat > measure.py <<'EOT'
import math, random, sys
random.seed(int(sys.argv[1]))
g, e, mu, c = 9.81, 0.78, 0.12, 0.15
def fly(t, x, h, vx, vh): # t after the start of a flight
    decay = math.exp(-c * t)
    return (x + vx * (1 - decay) / c, h + (vh + g / c) * (1 - decay) / c - g * t / c, vx * decay, (vh + g / c) * decay - g / c)
def landing(h, vh): # by bisection between the top and far below
    low, high = max(0, math.log(1 + c * vh / g) / c), 10.0
    for _ in range(200):
        middle = (low + high) / 2
        if fly(middle, 0, h, 0, vh)[1] > 0: low = middle
        else: high = middle
    return low
def drop(h0, times):
    start, state = 0.0, (0.0, h0, 3.0, 0.0)
    for t in times:
        while t - start > landing(state[1], state[3]):
            d = landing(state[1], state[3])
            x, h, vx, vh = fly(d, *state)
            start, state = start + d, (x, 0.0, vx + mu * (1 + e) * vh, -e * vh)
        yield t, *fly(t - start, *state)[:2]
for k, h0 in enumerate((0.5, 1.0, 1.5)):
    with open("b%d.csv" % k, "w") as f:
        f.write("time,x,h\n")
        for t, x, h in drop(h0, [0.013 * i for i in range(1, 101)]):
            f.write("%.17g,%.17g,%.17g\n" % (t, x + random.gauss(0, 0.003), h + random.gauss(0, 0.002)))
# The motor is linear: the exact response from its eigenvalues.
R, L, k, J, d = 0.5, 2e-3, 0.1, 1e-3, 1e-4
p, q = R / L + d / J, (R * d + k * k) / (L * J)
root = math.sqrt(p * p / 4 - q)
a, b = -p / 2 + root, -p / 2 - root
with open("m.csv", "w") as f:
    f.write("time,i,w\n")
    for n in range(1, 401):
        t = 5e-4 * n
        w = 2 * k / (L * J) * (1 / (a * b) + math.exp(a * t) / (a * (a - b)) + math.exp(b * t) / (b * (b - a)))
        i = 2 / L * (d / J / (a * b) + (a + d / J) * math.exp(a * t) / (a * (a - b)) + (b + d / J) * math.exp(b * t) / (b * (b - a)))
        f.write("%.17g,%.17g,%.17g\n" % (t, i + random.gauss(0, 0.01), w + random.gauss(0, 0.05)))
EOT
seed=1
while [ $seed -le 100 ]; do
    python3 measure.py $seed
    "$program" fit Models.mo Models.Ball --fit e=0.4:0.7:0.99 --fit mu=0:0.1:0.3 --fit c=0:0.1:1 --data b0.csv:h0=0.5 --data b1.csv:h0=1 \
        --data b2.csv:h0=1.5 >>ball.txt 2>&1
    "$program" fit Models.mo Models.Motor --fit R=0.05:1:5 --fit L=1e-4:1e-2:0.1 --fit k=0.01:0.2:1 --fit J=1e-4:2e-3:0.1 --fit d=0:1e-3:0.1 \
        --data m.csv >>motor.txt 2>&1
    seed=$((seed + 1))
done
# within FILE NAME VALUE
within() {
    sed -n "s/^$2 = \([^ ]*\) +- \([^ ]*\).*/\1 \2/p" "$1" | awk -v want="$3" '{ d = $1 - want; if (d < 0) d = -d; n += d <= $2 } END { print n + 0 }'
}
for check in "ball.txt e 0.78" "ball.txt mu 0.12" "ball.txt c 0.15" "motor.txt R 0.5" "motor.txt L 2e-3" "motor.txt k 0.1" "motor.txt J 1e-3" "motor.txt d 1e-4"; do
    # shellcheck disable=SC2086 # three words
    count=$(within $check)
    echo "$check: $count of 100"
    [ "$count" -ge 88 ] || complain "$check: $count of 100 within the stated confidence: $(tail -n 9 ball.txt motor.txt)"
done
finish
