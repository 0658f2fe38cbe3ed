#!/usr/bin/env python3
"""Random expressions of Modelica and their values, computed here by the rules of the specification and by nothing of Rattleback.

  expressions.py SEED COUNT MODE   writes a model of COUNT variables to stdout, with the values as assertions (warnings), for t = 0.5 s.
                                   MODE: variable, parameter, constant (folded at translation), or function (one for each expression).
"""
import math
import random
import sys

rng = random.Random(int(sys.argv[1]))
COUNT = int(sys.argv[2])
T = 0.5  # all is looked at at this time


class Undefined(Exception):
    pass


def num(v):
    """A literal of the language for a value."""
    if isinstance(v, bool):
        return 'true' if v else 'false'
    v = v + 0 if isinstance(v, int) else v + 0.0
    if isinstance(v, int):
        return str(v) if v >= 0 else f'({v})'
    return repr(v) if v >= 0 else f'({v!r})'


def check(v):
    if isinstance(v, float):
        if not math.isfinite(v) or abs(v) > 1e6:
            raise Undefined
    elif isinstance(v, int) and abs(v) > 10**6:
        raise Undefined
    return v


# Each returns (text, value). Variables of the model, known values:
reals = {'p': 2.5, 'q': -0.75, 'r': 3.0, 'w': 0.5}       # w = time
ints = {'i': 7, 'j': -3, 'k': 2}
bools = {'a': True, 'b': False}
vectors = {'v': [1.5, -2.0, 4.0], 'u': [0.5, 0.25, -1.0]}
ivectors = {'m': [3, -1, 4, 2]}
matrices = {'A': [[1.0, 2.0, -1.0], [0.5, -3.0, 2.0], [4.0, 1.0, 0.0]]}


def pick(*choices):
    return rng.choice(choices)


def real(d):
    if d <= 0:
        c = rng.random()
        if c < 0.3:
            v = rng.choice([0.5, 1.25, 2.0, 3.75, 1e-1, 7.0])
            return num(v), v
        if c < 0.8:
            n = rng.choice(list(reals))
            return n, reals[n]
        if c < 0.9:
            n = rng.choice(list(vectors))
            i = rng.randint(1, 3)
            return f'{n}[{i}]', vectors[n][i - 1]
        i, j = rng.randint(1, 3), rng.randint(1, 3)
        return f'A[{i}, {j}]', matrices['A'][i - 1][j - 1]
    f = pick(add, add, mul, mul, div_, power, unary, ifr, fn, fn, fn2, minmax, mod_, redr, dot, toreal, elem, summat)
    t, v = f(d - 1)
    return t, check(v)


def binary(op, fun, a, b):
    return f'({a[0]} {op} {b[0]})', fun(a[1], b[1])


def add(d):
    op = pick('+', '-')
    a, b = number(d), real(d)
    if rng.random() < 0.5:
        a, b = b, a
    return binary(op, (lambda x, y: x + y) if op == '+' else (lambda x, y: x - y), a, b)


def mul(d):
    return binary('*', lambda x, y: x * y, real(d), number(d))


def div_(d):
    a, b = number(d), number(d)
    if b[1] == 0 or abs(b[1]) < 1e-3:
        raise Undefined
    return binary('/', lambda x, y: float(x) / float(y), a, b)


def power(d):
    a, b = number(d), pick((num(2), 2), (num(3), 3), ('0.5', 0.5), ('(-1)', -1), ('k', 2))
    if a[1] < 0 and isinstance(b[1], float) or a[1] == 0 and b[1] <= 0:
        raise Undefined
    return f'({a[0]})^{b[0]}', float(a[1]) ** b[1]


def unary(d):
    a = real(d)
    return f'(-{a[0]})', -a[1]


def ifr(d):
    c, a, b, e, x = boolean(d), real(d), real(d), boolean(d), real(d)
    if rng.random() < 0.5:
        return f'(if {c[0]} then {a[0]} else {b[0]})', a[1] if c[1] else b[1]
    return f'(if {c[0]} then {a[0]} elseif {e[0]} then {x[0]} else {b[0]})', a[1] if c[1] else x[1] if e[1] else b[1]


FN = {'sin': math.sin, 'cos': math.cos, 'tan': math.tan, 'atan': math.atan, 'sinh': math.sinh, 'cosh': math.cosh, 'tanh': math.tanh,
      'exp': math.exp, 'abs': abs, 'sqrt': math.sqrt, 'log': math.log, 'log10': math.log10, 'asin': math.asin, 'acos': math.acos,
      'floor': lambda x: float(math.floor(x)), 'ceil': lambda x: float(math.ceil(x))}


def near_step(x):
    return abs(x - round(x)) < 1e-6 and x != round(x)


def fn(d):
    n = rng.choice(list(FN))
    a = real(d)
    if n in ('floor', 'ceil') and near_step(a[1]):
        raise Undefined
    try:
        return f'{n}({a[0]})', float(FN[n](a[1]))
    except (ValueError, OverflowError):
        raise Undefined


def fn2(d):
    a, b = real(d), real(d)
    if a[1] == 0 and b[1] == 0:
        raise Undefined
    return f'atan2({a[0]}, {b[0]})', math.atan2(a[1], b[1])


def minmax(d):
    n = pick('min', 'max')
    a, b = real(d), number(d)
    return f'{n}({a[0]}, {b[0]})', float((min if n == 'min' else max)(a[1], b[1]))


def mod_(d):
    n = pick('mod', 'rem', 'div')
    a, b = real(d), real(d)
    if abs(b[1]) < 1e-3:
        raise Undefined
    q = a[1] / b[1]
    if abs(q - round(q)) < 1e-6:
        raise Undefined  # rounding decides
    if n == 'mod':
        return f'mod({a[0]}, {b[0]})', a[1] - math.floor(q) * b[1]
    if n == 'rem':
        return f'rem({a[0]}, {b[0]})', a[1] - math.trunc(q) * b[1]
    return f'div({a[0]}, {b[0]})', float(math.trunc(q))


def toreal(d):
    a = integer(d)
    return pick(f'(1.0*{a[0]})', f'(0.0 + {a[0]})'), float(a[1])


def number(d):
    return real(d) if rng.random() < 0.7 else integer(d)


def vec(d):
    c = rng.random()
    if d <= 0 or c < 0.25:
        n = rng.choice(list(vectors))
        return n, vectors[n]
    if c < 0.4:
        a, b, e = real(d - 1), number(d - 1), real(d - 1)
        return f'{{{a[0]}, {b[0]}, {e[0]}}}', [float(a[1]), float(b[1]), float(e[1])]
    if c < 0.55:
        a, b, op = vec(d - 1), vec(d - 1), pick('+', '-', '.*')
        f = {'+': lambda x, y: x + y, '-': lambda x, y: x - y, '.*': lambda x, y: x * y}[op]
        return f'({a[0]} {op} {b[0]})', [f(x, y) for x, y in zip(a[1], b[1])]
    if c < 0.65:
        a, s = vec(d - 1), number(d - 1)
        return f'({s[0]}*{a[0]})', [s[1] * x for x in a[1]]
    if c < 0.72:
        a = vec(d - 1)
        return f'(A*{a[0]})', [sum(r[k] * a[1][k] for k in range(3)) for r in matrices['A']]
    if c < 0.79:
        a, b = vec(d - 1), vec(d - 1)
        x, y = a[1], b[1]
        return f'cross({a[0]}, {b[0]})', [x[1]*y[2] - x[2]*y[1], x[2]*y[0] - x[0]*y[2], x[0]*y[1] - x[1]*y[0]]
    if c < 0.86:
        a = vec(d - 1)
        return f'{{{a[0]}[4 - ii]*ii for ii in 1:3}}' if a[0].isalpha() else f'{{sin(v[ii]) for ii in 1:3}}', \
            [a[1][3 - i] * i for i in (1, 2, 3)] if a[0].isalpha() else [math.sin(x) for x in vectors['v']]
    if c < 0.93:
        i = rng.randint(1, 3)
        column = [r[i - 1] for r in matrices['A']]
        turned = [sum(matrices['A'][k][n] * vectors['u'][k] for k in range(3)) for n in range(3)]
        return pick((f'A[{i}, :]', matrices['A'][i - 1]), (f'A[:, {i}]', column), ('(transpose(A)*u)', turned), ('(u*A)', turned))
    n = rng.choice(list(FN))
    a = vec(d - 1)
    if n in ('floor', 'ceil') and any(near_step(x) for x in a[1]):
        raise Undefined
    try:
        return f'{n}({a[0]})', [float(FN[n](x)) for x in a[1]]
    except (ValueError, OverflowError):
        raise Undefined


def redr(d):
    n = pick('sum', 'product', 'min', 'max')
    a = vec(d)
    for x in a[1]:
        check(x)
    return f'{n}({a[0]})', {'sum': sum, 'product': math.prod, 'min': min, 'max': max}[n](a[1])


def dot(d):
    a, b = vec(d), vec(d)
    return f'({a[0]}*{b[0]})', sum(x * y for x, y in zip(a[1], b[1]))


def elem(d):
    i = integer(d)
    if not 1 <= i[1] <= 3:
        raise Undefined
    return f'v[{i[0]}]', vectors['v'][i[1] - 1]


def summat(d):
    a = real(d)
    n = rng.randint(1, 4)
    return f'sum({a[0]}*ii^2 for ii in 1:{n})', sum(a[1] * i * i for i in range(1, n + 1))


def integer(d):
    if d <= 0:
        c = rng.random()
        if c < 0.3:
            v = rng.randint(0, 5)
            return str(v), v
        if c < 0.8:
            n = rng.choice(list(ints))
            return n, ints[n]
        i = rng.randint(1, 4)
        return f'm[{i}]', ivectors['m'][i - 1]
    f = pick(iadd, imul, idiv, iif, ifloor, isign, ineg, isum, isize, iminmax)
    t, v = f(d - 1)
    return t, check(v)


def iadd(d):
    op = pick('+', '-')
    return binary(op, (lambda x, y: x + y) if op == '+' else (lambda x, y: x - y), integer(d), integer(d))


def imul(d):
    return binary('*', lambda x, y: x * y, integer(d), integer(d))


def idiv(d):
    n = pick('mod', 'rem', 'div')
    a, b = integer(d), integer(d)
    if b[1] == 0:
        raise Undefined
    if n == 'mod':
        return f'mod({a[0]}, {b[0]})', a[1] - math.floor(a[1] / b[1]) * b[1]
    if n == 'rem':
        return f'rem({a[0]}, {b[0]})', int(math.fmod(a[1], b[1]))
    return f'div({a[0]}, {b[0]})', int(a[1] / b[1])


def iif(d):
    c, a, b = boolean(d), integer(d), integer(d)
    return f'(if {c[0]} then {a[0]} else {b[0]})', a[1] if c[1] else b[1]


def ifloor(d):
    a = real(d)
    if near_step(a[1]):
        raise Undefined
    return f'integer({a[0]})', math.floor(a[1])


def isign(d):
    a = number(d)
    return f'sign({a[0]})', (a[1] > 0) - (a[1] < 0)


def ineg(d):
    a = integer(d)
    return f'(-{a[0]})', -a[1]


def iminmax(d):
    n = pick('min', 'max')
    a, b = integer(d), integer(d)
    return f'{n}({a[0]}, {b[0]})', (min if n == 'min' else max)(a[1], b[1])


def isum(d):
    lo, step, hi = rng.randint(-3, 3), rng.choice([1, 2, -1, -2]), rng.randint(-5, 6)
    values = list(range(lo, hi + (1 if step > 0 else -1), step))
    if not values:
        raise Undefined
    return f'sum({{ii*k for ii in {num(lo)}:{num(step)}:{num(hi)}}})', sum(x * ints['k'] for x in values)


def isize(d):
    return pick(('size(A, 2)', 3), ('size(m, 1)', 4), ('ndims(A)', 2))


def boolean(d):
    if d <= 0:
        n = rng.choice(list(bools))
        return n, bools[n]
    c = rng.random()
    if c < 0.35:
        a, b, op = number(d - 1), number(d - 1), pick('<', '<=', '>', '>=')
        if a[1] == b[1] and not (isinstance(a[1], int) and isinstance(b[1], int)) or 0 < abs(a[1] - b[1]) < 1e-6:
            raise Undefined
        return binary(op, {'<': lambda x, y: x < y, '<=': lambda x, y: x <= y, '>': lambda x, y: x > y, '>=': lambda x, y: x >= y}[op], a, b)
    if c < 0.45:
        a, b, op = integer(d - 1), integer(d - 1), pick('==', '<>')
        return binary(op, (lambda x, y: x == y) if op == '==' else (lambda x, y: x != y), a, b)
    if c < 0.55:
        a, b, op = boolean(d - 1), boolean(d - 1), pick('==', '<>', '<', '>=')
        return binary(op, {'==': lambda x, y: x == y, '<>': lambda x, y: x != y, '<': lambda x, y: x < y, '>=': lambda x, y: x >= y}[op], a, b)
    if c < 0.8:
        a, b, op = boolean(d - 1), boolean(d - 1), pick('and', 'or')
        return binary(op, (lambda x, y: x and y) if op == 'and' else (lambda x, y: x or y), a, b)
    a = boolean(d - 1)
    return f'(not {a[0]})', not a[1]


def draw(f, d):
    while True:
        try:
            return f(d)
        except Undefined:
            continue


def emit():
    out = []
    for n in range(COUNT):
        kind = rng.random()
        d = rng.randint(1, 5)
        if kind < 0.7:
            t, v = draw(real, d)
            out.append(('Real', n, t, v))
        elif kind < 0.85:
            t, v = draw(integer, d)
            out.append(('Integer', n, t, v))
        else:
            t, v = draw(boolean, d)
            out.append(('Boolean', n, t, v))
    return out


mode = sys.argv[3]
items = emit()
P = {'variable': '', 'function': '', 'parameter': 'parameter ', 'constant': 'constant '}[mode]
calls = mode == 'function'
mode = 'variable' if calls else mode
lines = ['model Random']
for n, v in reals.items():
    if n == 'w':
        lines.append('  Real w = time;' if mode == 'variable' else f'  {P}Real w = 0.5;')
    elif mode == 'variable' and n == 'p':
        lines.append('  Real p(start = 2.5, fixed = true);')
    else:
        lines.append(f'  {P or "parameter "}Real {n} = {num(v)};')
for n, v in ints.items():
    lines.append(f'  {P or "parameter "}Integer {n} = {num(v)};')
for n, v in bools.items():
    lines.append(f'  {P or "parameter "}Boolean {n} = {num(v)};' if mode != 'variable' else f'  Boolean {n} = {"time >= 0.25" if v else "time > 0.75"};')
for n, v in vectors.items():
    vals = '{' + ', '.join(num(x) for x in v) + '}'
    lines.append(f'  {P or "parameter "}Real {n}[3] = {vals};' if mode != 'variable' or n == 'u' else f'  Real {n}[3] = {vals}*(2*time);')
for n, v in ivectors.items():
    lines.append(f'  {P or "parameter "}Integer {n}[4] = {{{", ".join(num(x) for x in v)}}};')
lines.append(f'  {P or "parameter "}Real A[3, 3] = [{"; ".join(", ".join(num(x) for x in r) for r in matrices["A"])}];')
ARGUMENTS = 'p, q, r, w, i, j, k, a, b, v, u, m, A'
for typ, n, t, v in items:
    if calls:
        lines.append(f'  function f{n} input Real p, q, r, w; input Integer i, j, k; input Boolean a, b; input Real v[3], u[3]; input Integer m[4]; input Real A[3, 3]; '
                     f'output {typ} y; algorithm y := {t}; annotation(Inline = false); end f{n};')
        t = f'f{n}({ARGUMENTS})'
    lines.append(f'  {P}{typ} x{n} = {t};')
lines.append('equation')
if mode == 'variable':
    lines.append('  der(p) = 0;')
for typ, n, t, v in items:
    if typ == 'Boolean':
        lines.append(f'  assert(x{n} == {num(v)}, "x{n} is not {num(v)}", AssertionLevel.warning);')
    elif typ == 'Integer':
        lines.append(f'  assert(x{n} == {num(v)}, "x{n} is " + String(x{n}) + ", not {num(v)}", AssertionLevel.warning);')
    else:
        lines.append(f'  assert(abs(x{n} - {num(v)}) <= {1e-9 * max(1, abs(v))!r}, "x{n} is " + String(x{n}) + ", not {num(v)}", AssertionLevel.warning);')
lines.append('end Random;')
print('\n'.join(lines))
