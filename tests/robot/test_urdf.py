# python3 test_urdf.py PROGRAM [COUNT]
# Random robots in URDF are imported and started in random states: their accelerations are those of dynamics.py.
import random
import sys

import dynamics
from random_robots import count, robot, run, simulated

worst = 0
for seed in range(count):
    rng = random.Random(seed)
    joints = robot(rng, "random.urdf")
    report = run("import", "random.urdf", "--output-file", "Random.mo")
    if any("ignored" in line and "effort" not in line and "velocity" not in line for line in report.splitlines()[:-1]):
        sys.exit("robot %d: something is ignored:\n%s" % (seed, report))
    q = {j: rng.uniform(-2, 2) for j, _ in joints}
    v = {j: rng.uniform(-3, 3) for j, _ in joints}
    want, got = dynamics.accelerations("random.urdf", q, v), simulated(joints, q, v)
    size = max(1, max(abs(a) for a in want.values()))
    error = max(abs(want[j] - got[j]) for j in want) / size
    worst = max(worst, error)
    if not error < 1e-9:
        sys.exit("robot %d: accelerations differ by %g of %g:\n%s\n%s" % (seed, error, size, want, got))
print("%d robots, largest error %.1e" % (count, worst))
