# python3 test_mjcf.py PROGRAM [COUNT]
# Random robots are written as MJCF in its many ways (angles, quaternions or axes; joints beside the origins of bodies; defaults; motors; armatures), imported and
# started in random states: their accelerations are those that dynamics.py finds from the URDF of the same robot.
import csv
import math
import random
import sys
import xml.etree.ElementTree as ET

import dynamics
from dynamics import add, apply, numbers, origin, sub, transposed
from random_robots import count, robot, run, simulated


def text(v): return " ".join(repr(x) for x in v)


# Roll, pitch and yaw are turns about axes that stay.
def turned(rng, element):
    o = element.find("origin") if element is not None else None
    angles, R = numbers(o, "rpy", [0, 0, 0]), origin(element)[1]
    if rng.random() < 0.3:
        return 'euler="%s"' % text(math.degrees(a) for a in angles)
    if rng.random() < 0.5:
        x, y, _ = transposed(R)
        return 'xyaxes="%s"' % text(x + [2 * a + b for a, b in zip(y, x)])
    h = [a / 2 for a in angles]
    (c1, c2, c3), (s1, s2, s3) = [math.cos(a) for a in h], [math.sin(a) for a in h]
    q = [c1 * c2 * c3 + s1 * s2 * s3, s1 * c2 * c3 - c1 * s2 * s3, c1 * s2 * c3 + s1 * c2 * s3, c1 * c2 * s3 - s1 * s2 * c3]
    return 'quat="%s"' % text(3 * x for x in q)


# The frame of a body is shifted against that of its link; its joint is not.
def body(rng, bodies, i, shift_of_parent, extra):
    parent, joint, link = bodies[i]
    r, R = origin(joint)
    shift = [rng.uniform(-0.3, 0.3) for _ in range(3)] if parent >= 0 else [0, 0, 0]
    out = ['<body name="%s" pos="%s" %s>' % (link.get("name"), text(sub(add(r, apply(R, shift)), shift_of_parent)), turned(rng, joint))]
    if joint is not None and joint.get("type") != "fixed":
        name, damping = joint.get("name"), numbers(joint.find("dynamics"), "damping", [0])[0]
        out.append('<joint name="%s" type="%s" pos="%s" axis="%s" %s %s/>' % (
            name, "slide" if joint.get("type") == "prismatic" else "hinge", text(sub([0, 0, 0], shift)), joint.find("axis").get("xyz"),
            'damping="%r"' % damping if damping else 'class="free"', 'armature="%r"' % extra[name] if name in extra else ""))
    inertial = link.find("inertial")
    if inertial is not None:
        c, I = origin(inertial)[0], inertial.find("inertia")
        out.append('<inertial pos="%s" %s mass="%s" diaginertia="%s"/>' % (
            text(sub(c, shift)), turned(rng, inertial), inertial.find("mass").get("value"), " ".join(I.get(n) for n in ("ixx", "iyy", "izz"))))
    for k in range(len(bodies)):
        if bodies[k][0] == i:
            out += body(rng, bodies, k, shift, extra)
    return out + ["</body>"]


worst = 0
for seed in range(count):
    rng = random.Random(1000 + seed)
    joints = robot(rng, "random.urdf")
    bodies = dynamics.tree(ET.parse("random.urdf").getroot())
    armature = {j: rng.uniform(0, 0.5) for j, _ in joints if rng.random() < 0.5}
    control = {j: rng.uniform(-5, 5) for j, _ in joints if rng.random() < 0.5}
    lines = ['<mujoco><compiler eulerseq="XYZ"/><option gravity="1 2 -3"/>',
             '<default><joint damping="0.7" armature="0.2"/><default class="free"><joint damping="0"/></default></default><worldbody>']
    lines += body(rng, bodies, 0, [0, 0, 0], armature) + ["</worldbody><actuator>"]
    lines += ['<motor name="m_%s" joint="%s" gear="2"/>' % (j, j) for j in control]
    with open("random.xml", "w") as f:
        f.write("\n".join(lines + ["</actuator></mujoco>\n"]))
    report = run("import", "random.xml", "--output-file", "Random.mo")
    if any("ignored" in line and not line.startswith("random.xml:2:") for line in report.splitlines()[:-1]): # defaults may be of no use
        sys.exit("robot %d: something is ignored:\n%s" % (seed, report))
    q = {j: rng.uniform(-2, 2) for j, _ in joints}
    v = {j: rng.uniform(-3, 3) for j, _ in joints}
    want = dynamics.accelerations("random.urdf", q, v, (1, 2, -3), {j: 2 * u for j, u in control.items()},
                                  {j: armature.get(j, 0.2) for j in q})
    got = simulated(joints, q, v, ["m_%s = %r" % c for c in control.items()])
    size = max(1, max(abs(a) for a in want.values()))
    error = max(abs(want[j] - got[j]) for j in want) / size
    worst = max(worst, error)
    if not error < 1e-9:
        sys.exit("robot %d: accelerations differ by %g of %g:\n%s\n%s" % (seed, error, size, want, got))
print("%d robots, largest error %.1e" % (count, worst))

# A ball of 0.1 m that is dropped from 0.5 m touches the plane of the world after sqrt(2*0.4/9.81) s, and does not go through.
with open("drop.xml", "w") as f:
    f.write('<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="ball" pos="0 0 0.5"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>')
run("import", "drop.xml", "--output-file", "Drop.mo")
run("simulate", "Drop.mo", "Drop.Alone", "--stop-time", "0.5", "--output-file", "drop.csv")
height = [(float(row["robot.ball.r_0[3]"]), float(row["time"])) for row in csv.DictReader(open("drop.csv"))]
lowest, when = min(height)
if not (0.0999 < lowest < 0.1 + 1e-6 and abs(when - math.sqrt(0.8 / 9.81)) < 1e-3):
    sys.exit("the ball is lowest at %g m, after %g s" % (lowest, when))
