# python3 test_sdf.py PROGRAM [COUNT]
# Random robots in URDF are written as SDF: frames of links anywhere, poses relative to models, links, joints and frames, as angles, degrees or
# quaternions, axes in other frames, links in nested models. Imported and started in random states their accelerations are those of dynamics.py.
import math
import random
import sys
import xml.etree.ElementTree as ET

import dynamics
from dynamics import add, apply, mul, numbers, origin, rpy, sub, transposed
from random_robots import count, inertial, robot, run, simulated, vector

NOWHERE = ([0, 0, 0], rpy([0, 0, 0]))


def times(a, b): return add(a[0], apply(a[1], b[0])), mul(a[1], b[1])
def inverse(a): return [-x for x in apply(transposed(a[1]), a[0])], transposed(a[1])
def relative(a, b): return times(inverse(a), b)


# Roll, pitch, yaw of a rotation that is not near pitch = +-90 degrees, or a quaternion.
def pose(rng, X, base=None):
    r, R = X
    where = ' relative_to="%s"' % base if base else ""
    text = " ".join(map(repr, r))
    angles = [math.atan2(R[2][1], R[2][2]), -math.asin(max(-1, min(1, R[2][0]))), math.atan2(R[1][0], R[0][0])]
    if abs(R[2][0]) > 0.99 or rng.random() < 0.3:
        w = math.sqrt(max(0, 1 + R[0][0] + R[1][1] + R[2][2])) / 2
        if w > 0.1:
            q = [(R[2][1] - R[1][2]) / (4 * w), (R[0][2] - R[2][0]) / (4 * w), (R[1][0] - R[0][1]) / (4 * w), w]
            return '<pose%s rotation_format="quat_xyzw">%s %s</pose>' % (where, text, " ".join(map(repr, q)))
    if rng.random() < 0.3:
        return '<pose%s degrees="true">%s %s</pose>' % (where, text, " ".join(repr(math.degrees(a)) for a in angles))
    return "<pose%s>%s %s</pose>" % (where, text, " ".join(map(repr, angles)))


def random_pose(rng): return [rng.uniform(-1, 1) for _ in range(3)], rpy([rng.uniform(-1.4, 1.4) for _ in range(3)])


def sdf(rng, urdf, file):
    bodies, at, stands = dynamics.tree(ET.parse(urdf).getroot()), [], {}
    model = random_pose(rng) if rng.random() < 0.5 else NOWHERE
    inner = random_pose(rng)
    nested = {}  # link -> is it in the nested model?
    for k, (parent, joint, link) in enumerate(bodies):  # frames of the URDF in the world
        at.append(times(at[parent], origin(joint)) if parent >= 0 else NOWHERE)
        name = link.get("name")
        nested[name] = k > 1 and rng.random() < 0.3
        stands[name] = times(at[k], random_pose(rng))
    text, within = ['<frame name="spare">%s</frame>' % pose(rng, inner, "l0")], []
    spare = times(stands["l0"], inner)
    scope = times(model, inner)  # of the nested model

    def full(name): return ("inner::" if nested[name] else "") + name
    for k, (parent, joint, link) in enumerate(bodies):
        name = link.get("name")
        outer = scope if nested[name] else model
        if k > 1 and not nested[name] and rng.random() < 0.5:
            base = rng.choice(["spare"] + [n for n in stands if not nested[n] and list(stands).index(n) < k])
            where = pose(rng, relative(spare if base == "spare" else stands[base], stands[name]), base)
        else:
            where = pose(rng, relative(outer, stands[name]))
        parts = [where]
        i = link.find("inertial")
        if i is not None:
            X = relative(stands[name], times(at[k], origin(i)))
            I = i.find("inertia")
            parts.append("<inertial>%s<mass>%s</mass><inertia>%s</inertia></inertial>" % (
                pose(rng, X), i.find("mass").get("value"), "".join("<%s>%s</%s>" % (n, I.get(n), n) for n in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))))
        (within if nested[name] else text).append('<link name="%s">%s</link>' % (name, "".join(parts)))
        if joint is None:
            text.append('<joint name="stands" type="fixed"><parent>world</parent><child>%s</child></joint>' % name)
            continue
        kind, before = joint.get("type"), bodies[parent][2].get("name")
        where = pose(rng, relative(stands[name], at[k]))
        if rng.random() < 0.4:
            where = pose(rng, relative(stands[before], at[k]), full(before))
        j = '<joint name="%s" type="%s"><parent>%s</parent><child>%s</child>%s' % (joint.get("name"), kind, full(before), full(name), where)
        if kind != "fixed":
            e, frame, said = numbers(joint.find("axis"), "xyz", [1, 0, 0]), at[k], ""
            if rng.random() < 0.5:
                said, frame = rng.choice([(full(before), stands[before]), ("__model__", model), ("spare", spare)])
                said = ' expressed_in="%s"' % said
            e = apply(transposed(frame[1]), apply(at[k][1], e))
            limit = "<limit><lower>-3</lower><upper>3</upper></limit>" if kind != "continuous" else ""
            j += "<axis><xyz%s>%s</xyz>%s<dynamics><damping>%s</damping></dynamics></axis>" % (
                said, " ".join(map(repr, e)), limit, joint.find("dynamics").get("damping"))
        text.append(j + "</joint>")
    if within:
        text.append('<model name="inner">%s%s</model>' % (pose(rng, inner), "".join(within)))
    rng.shuffle(text)
    with open(file, "w") as f:
        f.write('<sdf version="1.9"><world name="w"><gravity>0 0 -9.81</gravity><model name="random">%s\n%s</model></world></sdf>\n' % (pose(rng, model), "\n".join(text)))


worst = 0
for seed in range(count):
    rng = random.Random(seed)
    joints = robot(rng, "random.urdf")
    sdf(rng, "random.urdf", "random.sdf")
    report = run("import", "random.sdf", "--output-file", "Random.mo")
    if any("ignored" in line for line in report.splitlines()[:-1]):
        sys.exit("robot %d: something is ignored:\n%s" % (seed, report))
    q = {j: rng.uniform(-2, 2) for j, _ in joints}
    v = {j: rng.uniform(-3, 3) for j, _ in joints}
    want = dynamics.accelerations("random.urdf", q, v)
    got = simulated(joints, q, v)
    size = max(1, max(abs(a) for a in want.values()))
    error = max(abs(want[j] - got[j]) for j in want) / size
    worst = max(worst, error)
    if not error < 1e-9:
        sys.exit("robot %d: accelerations differ by %g of %g:\n%s\n%s" % (seed, error, size, want, got))
print("%d robots, largest error %.1e" % (count, worst))
