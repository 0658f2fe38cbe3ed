#!/usr/bin/env python3
"""Random networks of clocks against an interpreter of their own, in exact fractions of time.

  networks.py PROGRAM FOLDER FIRST COUNT

A network has base clocks of rational intervals, signals on them and on clocks that follow from them by subSample, superSample,
shiftSample and backSample, states, and continuous signals that hold what was computed and are sampled again. The interpreter goes
from one tick to the next; the model asserts its values at the end, and the number of time events must be that of different ticks.
"""
import math
import os
import random
import re
import subprocess
import sys
from fractions import Fraction as F

STOP = 0.9973
JUMP = F(1, 2)


class Signal:
    def __init__(self, name, interval, shift, start, text, rule, kind='Real'):
        self.name, self.interval, self.shift, self.start = name, interval, shift, start
        self.text, self.rule, self.kind = text, rule, kind
        self.value, self.ticks, self.held = start, 0, start

    def due(self, t):
        return t >= self.shift and (t - self.shift) % self.interval == 0


class Network:
    def __init__(self, rng):
        self.rng, self.signals, self.clocks, self.holds = rng, [], [], []
        for k in range(rng.randint(1, 3)):
            n, d = rng.randint(1, 4), rng.choice([4, 5, 6, 8, 10, 12, 15, 20])
            self.clocks.append((f'c{k}', F(n, d), f'Clock({n}, {d})'))
        self.inputs = {'u0': ('sin(7*time)', lambda t: math.sin(7*t)), 'u1': ('2 - time^2', lambda t: 2 - t*t),
                       # the left limit counts
                       'u2': (f'if time < {float(JUMP)} then 1 else 3', lambda t: 1 if t <= JUMP else 3)}
        for k in range(rng.randint(6, 14)):
            self.add(k)

    def pick(self, clock=None):
        fit = [s for s in self.signals if clock is None or (s.interval, s.shift) == clock]
        return self.rng.choice(fit) if fit else None

    def add(self, k):
        rng, name = self.rng, f's{k}'
        start = rng.randint(-3, 3)
        u = self.pick()
        kinds = ['sample'] if not u else ['sample', 'sub', 'super', 'shift', 'back', 'state', 'count', 'sum', 'loop', 'hold', 'choose',
                                          'first']
        kind = rng.choice(kinds)
        getattr(self, 'add_' + kind)(name, u, start)

    def put(self, name, interval, shift, start, text, rule, kind='Real'):
        self.signals.append(Signal(name, interval, shift, start, text, rule, kind))

    def add_sample(self, name, _, start):
        clock, interval, text = self.rng.choice(self.clocks)
        u = self.rng.choice(sorted(self.inputs))
        shown = self.rng.choice([clock, text])
        self.put(name, interval, F(0), start, f'sample({u}, {shown})', lambda s, t: self.inputs[u][1](float(t) if u != 'u2' else t))

    def add_hold(self, name, u, start):  # what is held, sampled again: the left limit
        held = f'h{len(self.holds)}'
        self.holds.append([held, u, 0.0, F(0)])
        clock, interval, _ = self.rng.choice(self.clocks)
        self.put(name, interval, F(0), start, f'sample({held}, {clock})', lambda s, t: u.before)

    def derived(self, name, u, interval, shift, start, text):
        self.put(name, interval, shift, start, text, lambda s, t: u.held)

    def add_sub(self, name, u, start):
        k = self.rng.randint(1, 4)
        self.derived(name, u, u.interval*k, u.shift, start, f'subSample({u.name}, {k})')

    def add_super(self, name, u, start):
        k = self.rng.randint(1, 3)
        self.derived(name, u, u.interval/k, u.shift, start, f'superSample({u.name}, {k})')

    def add_shift(self, name, u, start):
        n, d = self.rng.randint(0, 4), self.rng.randint(1, 3)
        self.derived(name, u, u.interval, u.shift + u.interval*F(n, d), start, f'shiftSample({u.name}, {n}, {d})')

    def add_back(self, name, u, start):
        n, d = self.rng.randint(1, 3), self.rng.randint(1, 3)
        if u.shift < u.interval*F(n, d):
            return self.add_shift(name, u, start)
        self.derived(name, u, u.interval, u.shift - u.interval*F(n, d), start, f'backSample({u.name}, {n}, {d})')

    def add_state(self, name, u, start):
        a = self.rng.randint(-9, 9)/10
        self.put(name, u.interval, u.shift, start, f'{a}*previous({name}) + {u.name} + interval({u.name})',
                 lambda s, t: a*s.value + u.value + float(u.interval))

    def add_count(self, name, u, start):
        self.put(name, u.interval, u.shift, start, f'previous({name}) + (if {u.name} > -100 then 1 else 0)',
                 lambda s, t: s.value + 1, 'Integer')

    def add_first(self, name, u, start):
        self.put(name, u.interval, u.shift, start, f'if firstTick({u.name}) then 5 else previous({u.name})',
                 lambda s, t: 5 if u.ticks == 1 else u.last)

    def add_sum(self, name, u, start):
        v = self.pick((u.interval, u.shift))
        self.put(name, u.interval, u.shift, start, f'{u.name} - 2*{v.name}', lambda s, t: u.value - 2*v.value)

    def add_choose(self, name, u, start):
        v = self.pick((u.interval, u.shift))
        self.put(name, u.interval, u.shift, start, f'if {u.name} > 0.3 then {v.name} else -previous({v.name})',
                 lambda s, t: v.value if u.value > 0.3 else -v.last)

    def add_loop(self, name, u, start):  # an equation that has to be solved: 3 x + 1 = u - x
        self.put(name, u.interval, u.shift, start, f'(3*{name} + 1 = {u.name} - {name})', lambda s, t: (u.value - 1)/4)

    # --- the interpreter ---

    def run(self):
        stop = F(STOP).limit_denominator(10000)
        times = set()
        for t, interval in [(s.shift, s.interval) for s in self.signals] + [(F(0), c[1]) for c in self.clocks]:
            while t <= stop:
                times.add(t)
                t += interval
        for t in sorted(times):
            for h in self.holds:
                h[2] += float(h[1].held)*float(t - h[3])
                h[3] = t
            for s in self.signals:
                s.before = s.held
            for s in self.signals:
                if s.due(t):
                    s.ticks += 1
                    s.last, value = s.value, s.rule(s, t)
                    s.value = s.held = value
        for h in self.holds:
            h[2] += float(h[1].held)*float(stop - h[3])
        return len(times | {JUMP}) - (F(0) in times)

    # --- the model ---

    def text(self):
        lines = ['model Network']
        lines += [f'  Real {u} = {text};' for u, (text, _) in self.inputs.items()]
        lines += [f'  Clock {c} = {text};' for c, _, text in self.clocks]
        lines += [f'  {s.kind} {s.name}(start = {s.start});' for s in self.signals]
        for h, u, _, _ in self.holds:
            lines.append(f'  Real {h}, z{h}(start = 0, fixed = true);')
        lines.append('equation')
        equations = [f'  {s.text[1:-1]};' if s.text[0] == '(' else f'  {s.name} = {s.text};' for s in self.signals]
        for h, u, _, _ in self.holds:
            equations += [f'  {h} = hold({u.name});', f'  der(z{h}) = {h};']
        self.rng.shuffle(equations)
        checks = [(f'hold({s.name})', s.held) for s in self.signals] + [(f'z{h[0]}', h[2]) for h in self.holds]
        lines += equations + ['  when terminal() then']
        for name, value in checks:
            lines.append(f'    assert(abs({name} - ({float(value)!r})) < 1e-5*max(1, abs({name})), "{name} is " + String({name}, '
                         f'significantDigits = 15) + ", not {float(value)!r}");')
        return '\n'.join(lines + ['  end when;', 'end Network;', ''])


def main():
    program, folder, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    os.makedirs(folder, exist_ok=True)
    bad = signals = events = 0
    for seed in range(first, first + count):
        network, path = Network(random.Random(seed)), os.path.join(folder, f'Network_{seed}.mo')
        wanted = network.run()
        signals, events = signals + len(network.signals), events + wanted
        with open(path, 'w') as f:
            f.write(network.text())
        done = subprocess.run([program, 'simulate', path, '--stop-time', str(STOP), '--tolerance', '1e-8', '--output-file', path + '.mat',
                               '--variable-filter', 'u0'], capture_output=True, text=True)
        found = re.search(r'(\d+) time events', done.stdout + done.stderr)
        if done.returncode != 0 or 'warning' in done.stderr or not found or int(found.group(1)) != wanted:
            print(f'{path}: {wanted} time events, but\n{done.stdout[:200]}{done.stderr[:400]}')
            bad += 1
        else:
            os.remove(path)
        if os.path.exists(path + '.mat'):
            os.remove(path + '.mat')
    print(f'{count} networks, {signals} signals, {events} different ticks: {bad} differ')
    sys.exit(bad > 0)


main()
