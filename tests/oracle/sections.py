#!/usr/bin/env python3
"""Random algorithm sections, against an interpreter of its own and against the same section written as equations.

  sections.py PROGRAM FOLDER FIRST COUNT    runs COUNT seeds from FIRST. Reals that the section assigns stand in its conditions,
                                            are assigned again, in branches and in loops; when-statements count and remember.

The interpreter evaluates the text on a grid of times, finds each change by bisection, and iterates at events (specification, 8.6
and 11.1.2): discrete variables begin with their left limits, continuous ones with their start values.
"""
import csv
import io
import math
import os
import random
import subprocess
import sys

STOP, GRID = 2.0, 800
REALS, BOOLEANS, INTEGERS, COUNTS = ['r0', 'r1', 'r2'], ['b0', 'b1'], ['k0', 'k1'], ['n0', 'n1', 'd0']
DISCRETE = BOOLEANS + INTEGERS + COUNTS
START = {'r0': 0.3, 'r1': -0.2, 'r2': 1.1, 'b0': False, 'b1': True, 'k0': 0, 'k1': 2, 'n0': 0, 'n1': 1, 'd0': 0.4}


class Generator:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.slope = self.number(0.5, 2) * self.rng.choice([-1, 1])
        self.pace = self.number(1, 5)
        self.counted = list(COUNTS)
        self.section = [self.statement(0) for _ in range(self.rng.randint(5, 9))]
        self.section += [self.when() for _ in range(self.rng.randint(1, 2)) if self.counted]
        if self.rng.random() < 0.5:
            self.section.append(self.statement(0))

    def number(self, low, high):
        return round(self.rng.uniform(low, high), 4)

    def real(self):
        names = ['u', 'w'] + REALS
        a, b = self.rng.choice(names), self.rng.choice(names + ['d0', 'n0'])
        kind = self.rng.choice(['line', 'line', 'sin', 'product', 'if'])
        p, q, s = self.number(-2, 2), self.number(-2, 2), self.number(-1, 1)
        return (kind, a, b, p, q, s, self.condition(0) if kind == 'if' else None)

    def condition(self, level):
        c = self.rng.random()
        if c < 0.15:
            return ('var', self.rng.choice(BOOLEANS))
        if c < 0.25:
            return ('count', self.rng.choice(['n0', 'n1']), self.rng.randint(0, 3))
        if c < 0.4 and level < 2:
            return (self.rng.choice(['and', 'or']), self.condition(level + 1), self.condition(level + 1))
        if c < 0.5 and level < 2:
            return ('not', self.condition(level + 1))
        return ('less', self.rng.choice(REALS), self.rng.choice(['u', 'w', None] + REALS), self.number(-1, 1))

    def assignment(self):
        c = self.rng.random()
        if c < 0.65:
            return ('set', self.rng.choice(REALS), self.real())
        if c < 0.8:
            return ('set', self.rng.choice(BOOLEANS), self.condition(0))
        k = self.rng.choice(INTEGERS)
        if c < 0.9:
            return ('set', k, ('choose', self.condition(0), self.rng.randint(-2, 4), self.rng.randint(-2, 4)))
        return ('set', k, ('integer', self.rng.choice(REALS), self.number(1, 4)))

    def statement(self, level):
        c = self.rng.random()
        if c < 0.25 and level < 2:
            bodies = [(self.condition(0), [self.statement(level + 1) for _ in range(self.rng.randint(1, 2))])
                      for _ in range(self.rng.randint(1, 2))]
            other = [self.statement(level + 1)] if self.rng.random() < 0.6 else []
            return ('if', bodies, other)
        if c < 0.33:
            return ('for', self.rng.choice(REALS), self.number(0.2, 0.8), self.number(-1, 1), self.rng.choice(INTEGERS))
        if level == 0 and c < 0.4:
            return ('while', self.rng.choice(REALS), self.number(0.3, 0.9), self.rng.choice(INTEGERS))
        if level == 0 and c < 0.5 and self.counted:
            return self.when()
        return self.assignment()

    def when(self):
        n = self.counted.pop(self.rng.randrange(len(self.counted)))
        branches = []
        for _ in range(self.rng.randint(1, 2)):
            conditions = [self.condition(0) for _ in range(self.rng.randint(1, 2))]
            branches.append((conditions, self.real() if n == 'd0' else self.rng.randint(1, 3)))
        return ('when', n, branches)


# --- text ----------------------------------------------------------------------------------------


def real_text(e, v):
    kind, a, b, p, q, s, c = e
    if kind == 'line':
        return f'({p})*{v(a)} + ({q})*{v(b)} + ({s})'
    if kind == 'sin':
        return f'sin(({p})*{v(a)} + ({s})) + ({q})*{v(b)}'
    if kind == 'product':
        return f'({p})*{v(a)}*{v("u")} + ({s})'
    return f'(if {condition_text(c, v)} then ({p})*{v(a)} + ({s}) else ({q})*{v(b)} + ({s}))'


def condition_text(c, v):
    if c[0] == 'var':
        return v(c[1])
    if c[0] == 'count':
        return f'{v(c[1])} > {c[2]}'
    if c[0] == 'not':
        return f'not ({condition_text(c[1], v)})'
    if c[0] == 'less':
        other = f' - {v(c[2])}' if c[2] else ''
        return f'{v(c[1])}{other} < ({c[3]})'
    return f'({condition_text(c[1], v)}) {c[0]} ({condition_text(c[2], v)})'


def value_text(e, v):
    if e[0] == 'choose':
        return f'if {condition_text(e[1], v)} then {e[2]} else {e[3]}'
    if e[0] == 'integer':
        return f'integer(({e[2]})*{v(e[1])})'
    return real_text(e, v) if len(e) == 7 else condition_text(e, v)


def new_value(n, e, v):
    return real_text(e, v) if n == 'd0' else f'pre({n}) + {e}'


def section_text(section, depth):
    v = lambda n: n
    pad, out = '  ' * depth, []
    for s in section:
        if s[0] == 'set':
            out.append(f'{pad}{s[1]} := {value_text(s[2], v)};')
        elif s[0] == 'if':
            for i, (c, body) in enumerate(s[1]):
                out.append(f'{pad}{"elseif" if i else "if"} {condition_text(c, v)} then')
                out += section_text(body, depth + 1)
            if s[2]:
                out += [f'{pad}else'] + section_text(s[2], depth + 1)
            out.append(f'{pad}end if;')
        elif s[0] == 'for':
            out.append(f'{pad}for i in 1:3 loop')
            out.append(f'{pad}  {s[1]} := ({s[2]})*{s[1]} + ({s[3]})/i;')
            out.append(f'{pad}  if {s[1]} > 0.21*i then {s[4]} := i; break; end if;')
            out.append(f'{pad}end for;')
        elif s[0] == 'while':
            out.append(f'{pad}{s[3]} := 0;')
            out.append(f'{pad}while {s[1]} > {s[2]} and {s[3]} < 5 loop')
            out.append(f'{pad}  {s[1]} := {s[1]} - 0.4;')
            out.append(f'{pad}  {s[3]} := {s[3]} + 1;')
            out.append(f'{pad}end while;')
        else:
            for i, (conditions, e) in enumerate(s[2]):
                texts = ', '.join(condition_text(c, v) for c in conditions)
                texts = '{' + texts + '}' if len(conditions) > 1 else texts
                out.append(f'{pad}{"elsewhen" if i else "when"} {texts} then')
                out.append(f'{pad}  {s[1]} := {new_value(s[1], e, v)};')
            out.append(f'{pad}end when;')
    return out


class Single:
    """The same as equations: each assignment gives a variable of its own; branches meet in if-expressions."""

    def __init__(self):
        self.declarations, self.equations, self.count = [], [], 0

    def fresh(self, like, value):
        self.count += 1
        name = f'{like}_{self.count}'
        kind = 'Boolean' if like in BOOLEANS + ['c'] else 'Integer' if like in INTEGERS else 'Real'
        self.declarations.append(f'  {kind} {name};')
        self.equations.append(f'  {name} = {value};')
        return name

    def run(self, section, at):
        for s in section:
            v = lambda n: at.get(n, n)
            if s[0] == 'set':
                at[s[1]] = self.fresh(s[1], value_text(s[2], v))
            elif s[0] == 'if':
                self.branch(s[1], s[2], at)
            elif s[0] == 'for':
                going = 'true'
                for i in range(1, 4):
                    value = f'if {going} then ({s[2]})*{at[s[1]]} + ({s[3]})/{i} else {at[s[1]]}'
                    at[s[1]] = self.fresh(s[1], value)
                    leave = self.fresh('c', f'{going} and {at[s[1]]} > 0.21*{i}')
                    at[s[4]] = self.fresh(s[4], f'if {leave} then {i} else {at[s[4]]}')
                    going = self.fresh('c', f'{going} and not {leave}')
            elif s[0] == 'while':
                at[s[3]] = '0'
                going = 'true'
                for i in range(5):
                    going = self.fresh('c', f'{going} and {at[s[1]]} > {s[2]}')
                    at[s[1]] = self.fresh(s[1], f'if {going} then {at[s[1]]} - 0.4 else {at[s[1]]}')
                    at[s[3]] = self.fresh(s[3], f'if {going} then {i + 1} else {at[s[3]]}')
            else:
                lists = [', '.join(self.fresh('c', condition_text(c, v)) for c in conditions) for conditions, _ in s[2]]
                for i, (names, (_, e)) in enumerate(zip(lists, s[2])):
                    self.equations.append(f'  {"elsewhen" if i else "when"} {{{names}}} then')
                    self.equations.append(f'    {s[1]} = {new_value(s[1], e, v)};')
                self.equations.append('  end when;')
                at[s[1]] = s[1]
        return at

    def branch(self, bodies, other, at):
        if not bodies:
            self.run(other, at)
            return
        c = self.fresh('c', condition_text(bodies[0][0], lambda n: at.get(n, n)))
        yes, no = self.run(bodies[0][1], dict(at)), dict(at)
        self.branch(bodies[1:], other, no)
        for n in at:
            if yes[n] != no[n]:
                at[n] = self.fresh(n, f'if {c} then {yes[n]} else {no[n]}')


def before(n):
    """What a variable holds at the beginning of the section."""
    return f'pre({n})' if n in DISCRETE else f'({START[n]})'


def head(g, name, whole):
    lines = [f'model {name}', '  Real u(start = 0.1, fixed = true), w;']
    lines += [f'  Real {n}(start = {START[n]});' for n in REALS]
    for n in DISCRETE:
        kind = 'Boolean' if n in BOOLEANS else 'discrete Real' if n == 'd0' else 'Integer'
        lines.append(f'  {kind} {n}(start = {str(START[n]).lower()}, fixed = true);')
    return lines


def motion(g):
    return [f'  der(u) = {g.slope};', f'  w = sin({g.pace}*time);']


def idle(g):
    """Variables that the section does not assign."""
    def names(section):
        for s in section:
            if s[0] == 'if':
                for _, body in s[1]:
                    yield from names(body)
                yield from names(s[2])
            else:
                yield s[1]
                if s[0] in ('for', 'while'):
                    yield s[-1]
    assigned = set(names(g.section))
    return [n for n in REALS + DISCRETE if n not in assigned]


def as_section(g):
    rest = [f'  {n} = {before(n)};' for n in idle(g)]
    return '\n'.join(head(g, 'Section', True) + ['equation'] + motion(g) + rest + ['algorithm']
                     + section_text(g.section, 1) + ['end Section;', ''])


def as_equations(g):
    single = Single()
    untouched = idle(g)
    at = single.run(g.section, {n: before(n) for n in REALS + DISCRETE if n not in untouched})
    last = [f'  {n} = {t};' for n, t in at.items() if t != n]
    rest = [f'  {n} = {before(n)};' for n in untouched]
    return '\n'.join(head(g, 'Equations', False) + single.declarations + ['equation'] + motion(g) + rest
                     + single.equations + last + ['end Equations;', ''])


# --- meaning -------------------------------------------------------------------------------------


class Endless(Exception):
    pass


class Run:
    """One evaluation of the section; `trace` holds all that switches."""

    def __init__(self, g, t, left, memory, whens):
        self.v = dict(left)
        for n in REALS:
            self.v[n] = START[n]
        for n in idle(g):
            self.v[n] = START[n] if n in REALS else left[n]
        self.left, self.memory, self.whens = left, memory, whens
        self.v['u'], self.v['w'] = 0.1 + g.slope*t, math.sin(g.pace*t)
        self.trace, self.now = [], []
        self.run(g.section)

    def condition(self, c):
        v = self.v
        if c[0] == 'var':
            return v[c[1]]
        if c[0] == 'count':
            return v[c[1]] > c[2]
        if c[0] == 'not':
            return not self.condition(c[1])
        if c[0] == 'less':
            self.trace.append((v[c[1]] - v[c[2]] if c[2] else v[c[1]]) < c[3])
            return self.trace[-1]
        a, b = self.condition(c[1]), self.condition(c[2])
        return a and b if c[0] == 'and' else a or b

    def real(self, e):
        kind, a, b, p, q, s, c = e
        a, b = self.v[a], self.v[b]
        if kind == 'line':
            return p*a + q*b + s
        if kind == 'sin':
            return math.sin(p*a + s) + q*b
        if kind == 'product':
            return p*a*self.v['u'] + s
        return p*a + s if self.condition(c) else q*b + s

    def value(self, e):
        if e[0] == 'choose':
            return e[2] if self.condition(e[1]) else e[3]
        if e[0] == 'integer':
            self.trace.append(math.floor(e[2]*self.v[e[1]]))
            return self.trace[-1]
        return self.real(e) if len(e) == 7 else self.condition(e)

    def run(self, section):
        v = self.v
        for s in section:
            if s[0] == 'set':
                v[s[1]] = self.value(s[2])
            elif s[0] == 'if':
                for c, body in s[1]:
                    if self.condition(c):
                        self.run(body)
                        break
                else:
                    self.run(s[2])
            elif s[0] == 'for':
                for i in range(1, 4):
                    v[s[1]] = s[2]*v[s[1]] + s[3]/i
                    self.trace.append(v[s[1]] > 0.21*i)
                    if self.trace[-1]:
                        v[s[4]] = i
                        break
            elif s[0] == 'while':
                v[s[3]] = 0
                while v[s[1]] > s[2] and v[s[3]] < 5:
                    v[s[1]] -= 0.4
                    v[s[3]] += 1
                self.trace.append(v[s[3]])
            else:
                self.when(s)

    def when(self, s):
        entered = None
        for conditions, e in s[2]:
            values = [self.condition(c) for c in conditions]  # all before anything is assigned
            old = self.memory[len(self.now):]
            self.now += values
            if entered is None and self.whens and any(v and not m for v, m in zip(values, old)):
                entered = e
        if entered is not None:
            self.v[s[1]] = self.real(entered) if s[1] == 'd0' else self.left[s[1]] + entered


def settle(g, t, left, memory, whens):
    for _ in range(30):
        r = Run(g, t, left, memory, whens)
        after = {n: r.v[n] for n in DISCRETE}
        if after == left and r.now == memory:
            return r, after, r.now
        left, memory = after, r.now
    raise Endless


def interpret(g):
    """Pairs of a time and the values that hold from there on."""
    r = Run(g, 0, {n: START[n] for n in DISCRETE}, [], False)  # the initialisation: no when-statement is active
    r, left, memory = settle(g, 0, {n: r.v[n] for n in DISCRETE}, r.now, True)
    history, t = [(0.0, r.v)], 0.0
    for i in range(GRID):
        end = STOP*(i + 1)/GRID
        if Run(g, end, left, memory, False).trace == r.trace:
            t = end
            continue
        low, high = t, end
        while high - low > 1e-12:
            middle = (low + high)/2
            if Run(g, middle, left, memory, False).trace == r.trace:
                low = middle
            else:
                high = middle
        r, left, memory = settle(g, high, left, memory, True)
        history.append((high, r.v))
        if Run(g, end, left, memory, False).trace != r.trace:
            raise Endless  # two events in a cell: another seed will do
        t = end
    return history, left


# --- comparison ----------------------------------------------------------------------------------


def simulate(program, path):
    done = subprocess.run([program, 'simulate', path, '--quiet', '--stop-time', str(STOP), '--tolerance', '1e-8',
                           '--output-file', '-'], capture_output=True, text=True)
    if done.returncode != 0 or 'warning' in done.stderr:
        return done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout)))


def check(g, rows, history, label):
    """Every row that is not close to an event; a Real may pass its threshold by the error of the integration."""
    events = [t for t, _ in history[1:]]
    if isinstance(rows, str):
        return f'{label}: {rows[:400]}'
    i = 0
    memory = {n: history[0][1][n] for n in DISCRETE}
    for row in rows:
        t = float(row['time'])
        if any(abs(t - e) < 1e-6 for e in events):
            continue
        while i + 1 < len(history) and history[i + 1][0] < t:
            i += 1
            memory = {n: history[i][1][n] for n in DISCRETE}
        want = Run(g, t, memory, [True]*100, False).v
        for n in REALS + DISCRETE:
            if n not in row:  # a constant is left out
                continue
            got = float(row[n])
            if abs(got - float(want[n])) > 1e-5*(1 + abs(float(want[n]))):
                return f'{label}: {n} is {got} instead of {want[n]} at {t}'
    return None


def main():
    program, folder, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    os.makedirs(folder, exist_ok=True)
    bad, events, skipped = 0, 0, 0
    for seed in range(first, first + count):
        g = Generator(seed)
        try:
            history, _ = interpret(g)
        except Endless:
            skipped += 1
            continue
        events += len(history) - 1
        for name, text in (('Section', as_section(g)), ('Equations', as_equations(g))):
            path = os.path.join(folder, f'{name}_{seed}.mo')
            with open(path, 'w') as f:
                f.write(text)
            problem = check(g, simulate(program, path), history, path)
            if problem:
                print(problem)
                bad += 1
            else:
                os.remove(path)
    print(f'{count} sections with {events} events, {skipped} left out: {bad} models differ')
    sys.exit(bad > 0)


main()
