# Accelerations of a robot in URDF, computed without anything of ours: the mass matrix from the velocities that each joint gives to each body (Kane), what
# remains from a pass of accelerations without those of the joints, then Gauss. Trees of revolute, continuous, prismatic and fixed joints.
import math
import xml.etree.ElementTree as ET


def add(a, b): return [x + y for x, y in zip(a, b)]
def sub(a, b): return [x - y for x, y in zip(a, b)]
def scale(s, a): return [s * x for x in a]
def dot(a, b): return sum(x * y for x, y in zip(a, b))
def cross(a, b): return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
def mul(A, B): return [[sum(A[i][k] * B[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
def apply(A, v): return [dot(row, v) for row in A]
def transposed(A): return [list(c) for c in zip(*A)]


def about(n, phi):
    l = math.sqrt(dot(n, n))
    x, y, z = (c / l for c in n)
    c, s, t = math.cos(phi), math.sin(phi), 1 - math.cos(phi)
    return [[c + x * x * t, x * y * t - z * s, x * z * t + y * s],
            [y * x * t + z * s, c + y * y * t, y * z * t - x * s],
            [z * x * t - y * s, z * y * t + x * s, c + z * z * t]]


def rpy(a): return mul(about([0, 0, 1], a[2]), mul(about([0, 1, 0], a[1]), about([1, 0, 0], a[0])))


def numbers(element, name, default):
    return [float(x) for x in element.get(name).split()] if element is not None and element.get(name) else default


def origin(element):
    o = element.find("origin") if element is not None else None
    return numbers(o, "xyz", [0, 0, 0]), rpy(numbers(o, "rpy", [0, 0, 0]))


# Bodies from the root outwards: (parent, joint element, link element)
def tree(root):
    links = {l.get("name"): l for l in root.findall("link")}
    joints = {j.find("child").get("link"): j for j in root.findall("joint")}
    order, place = [], {}
    while len(order) < len(links):
        for name, link in links.items():
            j = joints.get(name)
            if name in place or (j is not None and j.find("parent").get("link") not in place):
                continue
            place[name] = len(order)
            order.append((place[j.find("parent").get("link")] if j is not None else -1, j, link))
    return order


# {joint: acceleration} where q, v and what is added (forces of drives, inertias on the axes) are {joint: value}
def accelerations(file, q, v, gravity=(0, 0, -9.81), drive={}, armature={}):
    bodies, names, motions = tree(ET.parse(file).getroot()), sorted(q), []
    n = len(names)
    M, rhs = [[0.0] * n for _ in range(n)], [0.0] * n
    for parent, joint, link in bodies:
        if parent < 0:
            R, p, w, wd, a, J = rpy([0, 0, 0]), [0] * 3, [0] * 3, [0] * 3, [0] * 3, [([0] * 3, [0] * 3) for _ in names]
        else:
            R0, p0, w0, wd0, a0, J0 = motions[parent]
            r, turn = origin(joint)
            name, kind = joint.get("name"), joint.get("type")
            R, d = mul(R0, turn), apply(R0, r)
            axis = numbers(joint.find("axis"), "xyz", [1, 0, 0])
            l = math.sqrt(dot(axis, axis))
            e = apply(R, [c / l for c in axis])
            w, wd = w0, wd0
            slide, speed = [0] * 3, [0] * 3
            if kind == "prismatic":
                slide, speed = scale(q[name], e), scale(v[name], e)
            d = add(d, slide)
            p = add(p0, d)
            a = add(a0, add(cross(wd0, d), cross(w0, cross(w0, d))))
            a = add(a, scale(2, cross(w0, speed)))
            J = [(add(jv, cross(jw, d)), jw) for jv, jw in J0]
            if kind in ("revolute", "continuous"):
                w = add(w0, scale(v[name], e))
                wd = add(wd0, scale(v[name], cross(w0, e)))
                R = mul(R, about(axis, q[name]))
                J[names.index(name)] = (J[names.index(name)][0], e)
            if kind == "prismatic":
                J[names.index(name)] = (e, [0] * 3)
        motions.append((R, p, w, wd, a, J))
        inertial = link.find("inertial")
        if inertial is None:
            continue
        rc, Rc = origin(inertial)
        m, I = float(inertial.find("mass").get("value")), inertial.find("inertia")
        xx, yy, zz, xy, xz, yz = (float(I.get("i" + s)) for s in ("xx", "yy", "zz", "xy", "xz", "yz"))
        W = mul(R, Rc)
        I = mul(W, mul([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], transposed(W)))
        c = apply(R, rc)
        ac = sub(add(a, add(cross(wd, c), cross(w, cross(w, c)))), gravity)
        torque = add(apply(I, wd), cross(w, apply(I, w)))
        at = [(add(jv, cross(jw, c)), jw) for jv, jw in J]
        for i in range(n):
            rhs[i] -= m * dot(at[i][0], ac) + dot(at[i][1], torque)
            for k in range(n):
                M[i][k] += m * dot(at[i][0], at[k][0]) + dot(at[i][1], apply(I, at[k][1]))
    for joint in (j for _, j, _ in bodies if j is not None and j.get("name") in q):
        d = joint.find("dynamics")
        i = names.index(joint.get("name"))
        rhs[i] -= numbers(d, "damping", [0])[0] * v[joint.get("name")]
    for i, name in enumerate(names):
        M[i][i] += armature.get(name, 0)
        rhs[i] += drive.get(name, 0)
    return dict(zip(names, solve(M, rhs)))


def solve(M, b):
    n = len(b)
    A = [row[:] + [x] for row, x in zip(M, b)]
    for i in range(n):
        k = max(range(i, n), key=lambda r: abs(A[r][i]))
        A[i], A[k] = A[k], A[i]
        for r in range(i + 1, n):
            f = A[r][i] / A[i][i]
            A[r] = [x - f * y for x, y in zip(A[r], A[i])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (A[i][n] - sum(A[i][k] * x[k] for k in range(i + 1, n))) / A[i][i]
    return x
