# Random robots in URDF (trees, types of joints, origins, inertias), and their accelerations when a model of them starts.
import csv
import os
import subprocess
import sys
import tempfile

program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 12
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)


def run(*arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("rattleback %s\n%s" % (" ".join(arguments), done.stderr))
    return done.stdout


def vector(rng, size): return " ".join(repr(rng.uniform(-size, size)) for _ in range(3))


# Moments of inertia of three masses on the axes of a frame that is turned: any body has such.
def inertial(rng):
    a, b, c = (rng.uniform(0.01, 0.1) for _ in range(3))
    return ('<inertial><origin xyz="%s" rpy="%s"/><mass value="%r"/><inertia ixx="%r" iyy="%r" izz="%r" ixy="0" ixz="0" iyz="0"/></inertial>'
            % (vector(rng, 0.2), vector(rng, 3), rng.uniform(0.2, 3), b + c, a + c, a + b))


def robot(rng, file):
    n = rng.randint(1, 7)
    text, joints = ['<link name="l0"/>'], []
    for i in range(1, n + 1):
        kind = rng.choice(["revolute", "continuous", "prismatic", "fixed"]) if i > 1 else "revolute"
        parent = rng.randrange(i)
        text.append('<link name="l%d">%s</link>' % (i, inertial(rng)))
        joint = ('<joint name="j%d" type="%s"><parent link="l%d"/><child link="l%d"/><origin xyz="%s" rpy="%s"/>'
                 % (i, kind, parent, i, vector(rng, 0.5), vector(rng, 3)))
        if kind in ("revolute", "prismatic"):
            joint += '<limit lower="-3" upper="3" effort="10" velocity="10"/>'
        if kind != "fixed":
            joint += '<axis xyz="%s"/><dynamics damping="%r"/>' % (vector(rng, 1), rng.choice([0, rng.uniform(0, 1)]))
        text.append(joint + '</joint>')
        if kind != "fixed":
            joints.append(("j%d" % i, kind))
    with open(file, "w") as f:
        f.write('<robot name="random">\n' + "\n".join(rng.sample(text, len(text))) + "</robot>\n")
    return joints


# The first row of a run; `inputs` are more modifications of the robot.
def simulated(joints, q, v, inputs=()):
    states = ", ".join(list(inputs) + ["%s(%s(start = %r, fixed = true), %s(start = %r, fixed = true))"
                       % ((j, "s", q[j], "v", v[j]) if kind == "prismatic" else (j, "phi", q[j], "w", v[j])) for j, kind in joints])
    with open("Start.mo", "w") as f:
        f.write(open("Random.mo").read() + "model Start\n  extends Random.Alone(robot(%s));\nend Start;\n" % states)
    run("simulate", "Start.mo", "Start", "--stop-time", "1e-6", "--output-file", "start.csv")
    first = next(csv.DictReader(open("start.csv")))
    return {j: float(first["der(robot.%s.%s)" % (j, "v" if kind == "prismatic" else "w")]) for j, kind in joints}
