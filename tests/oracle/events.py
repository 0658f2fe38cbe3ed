#!/usr/bin/env python3
"""Random models of events and their values, by an event iteration of its own (specification, 8.5 and 8.6).

  events.py SEED    writes a model to stdout: Integers and Booleans that change in when-clauses at samples, at times, and when other
                    conditions become true, with the values that they have in the end as assertions.
"""
import random
import sys
from fractions import Fraction as F

rng = random.Random(int(sys.argv[1]))
N = 6
STOP = F(2)
clocks = [(F(rng.randint(0, 6), 8), F(rng.randint(1, 7), 8)) for _ in range(2)]  # numbers without rounding: what coincides does so
steps = [F(rng.randint(1, 31), 16) for _ in range(2)]


def name(i):
    return f'd{i}'


# Conditions: sample, time, or a relation of pre-values or of variables that were computed before.
def condition(i):
    c = rng.random()
    if c < 0.4:
        k = rng.randrange(2)
        return ('sample', k)
    if c < 0.6:
        return ('time', rng.randrange(2))
    j = rng.randrange(N)
    kind = 'now' if j < i and rng.random() < 0.6 else 'pre'
    return (kind, j, rng.randint(-3, 3))


def text_of(c):
    if c[0] == 'sample':
        s, t = clocks[c[1]]
        return f'sample({float(s)!r}, {float(t)!r})'
    if c[0] == 'time':
        return f'time >= {float(steps[c[1]])!r}'
    v = name(c[1]) if c[0] == 'now' else f'pre({name(c[1])})'
    return f'{v} > {c[2]}' if c[2] >= 0 else f'{v} > ({c[2]})'


def expression(i):
    j, k = rng.randrange(N), rng.randrange(N)
    a = ('now', j) if j < i and rng.random() < 0.5 else ('pre', j)
    b = ('pre', k)
    op = rng.choice(['+', '-', 'mod', 'if'])
    return (op, a, b, rng.randint(-2, 2))


def term(t):
    return name(t[1]) if t[0] == 'now' else f'pre({name(t[1])})'


def etext(e):
    op, a, b, c = e
    a, b, c = term(a), term(b), f'({c})'
    if op == 'mod':
        return f'mod({a}, 5) + {c}'
    if op == 'if':
        return f'(if {b} > {c} then {a} - 1 else {b} + 2)'
    return f'mod({a} {op} {b} + {c}, 11)'


def evalue(e, now, pre):
    op, a, b, c = e
    g = lambda t: (now if t[0] == 'now' else pre)[t[1]]
    a, b = g(a), g(b)
    if op == 'mod':
        return a % 5 + c
    if op == 'if':
        return a - 1 if b > c else b + 2
    return ((a + b if op == '+' else a - b) + c) % 11


start = [rng.randint(-3, 3) for _ in range(N)]
whens = []
for i in range(N):
    branches = []
    for _ in range(rng.randint(1, 2)):
        conditions = [condition(i) for _ in range(rng.randint(1, 2))]
        branches.append((conditions, expression(i)))
    whens.append(branches)


def cvalue(c, now, pre, sampled, t):
    if c[0] == 'sample':
        return c[1] in sampled
    if c[0] == 'time':
        return t >= steps[c[1]]
    return (now if c[0] == 'now' else pre)[c[1]] > c[2]


class Endless(Exception):
    pass


def settle(now, precond, sampled, t):
    """One event: iterate until nothing changes. The values of conditions just before decide whether a when-clause is entered."""
    for _ in range(60):
        pre = list(now)
        new = list(now)
        conds = [[[False] * len(b[0]) for b in w] for w in whens]
        for i, w in enumerate(whens):
            entered = False
            for k, (conditions, e) in enumerate(w):
                rises = False
                for n, c in enumerate(conditions):
                    value = cvalue(c, new, pre, sampled, t)
                    conds[i][k][n] = value
                    rises |= value and not precond[i][k][n]
                if rises and not entered:
                    entered = True
                    new[i] = evalue(e, new, pre)
        changed = new != now or conds != precond
        now, precond = new, conds
        if not changed:
            return now, precond
    raise Endless


def run():
    now = list(start)
    # At the start when-clauses are not entered: pre(condition) is what the condition is with the start values.
    t = F(0)
    conds = [[[cvalue(c, now, now, (), t) if c[0] != 'sample' else False for c in b[0]] for b in w] for w in whens]
    instants = set(steps)
    for s, p in clocks:
        k = s
        while k <= STOP:
            instants.add(k)
            k += p
    for t in sorted(x for x in instants if x < STOP):
        sampled = {k for k, (s, p) in enumerate(clocks) if t >= s and (t - s) % p == 0}
        now, conds = settle(now, conds, sampled, t)
        now, conds = settle(now, conds, set(), t)
    return now


try:
    final = run()
except Endless:
    final = None
if final is None:
    print('// endless')
    sys.exit()
print('model RandomEvents')
for i in range(N):
    print(f'  discrete Integer {name(i)}(start = {start[i]}, fixed = true);')
print('equation')
for i, w in enumerate(whens):
    for k, (conditions, e) in enumerate(w):
        head = ('when' if k == 0 else 'elsewhen') + ' {' + ', '.join(text_of(c) for c in conditions) + '} then'
        print(f'  {head}\n    {name(i)} = {etext(e)};')
    print('  end when;')
print('  when terminal() then')
for i in range(N):
    print(f'    assert({name(i)} == {final[i]}, "{name(i)} is " + String({name(i)}) + ", not {final[i]}", AssertionLevel.warning);')
print('  end when;')
print(f'  annotation(experiment(StopTime = {float(STOP) - 0.001}));')
print('end RandomEvents;')
