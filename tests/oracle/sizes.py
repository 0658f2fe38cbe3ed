#!/usr/bin/env python3
"""Random calls of functions whose results have sizes that are known only while the model runs, with values that Python computes.

  sizes.py PROGRAM FOLDER FIRST COUNT
"""
import csv
import io
import os
import random
import subprocess
import sys

FUNCTIONS = '''
  function ramp
    input Integer n;
    output Real y[n];
  algorithm
    for i in 1:n loop
      y[i] := i - 0.5;
    end for;
  end ramp;
  function steps "as many as x says"
    input Real x;
    output Real y[integer(x) + 1];
  algorithm
    for i in 1:size(y, 1) loop
      y[i] := x/i;
    end for;
  end steps;
  function longer
    input Real u[:];
    input Integer n;
    output Real y[size(u, 1) + n];
  algorithm
    for i in 1:size(y, 1) loop
      y[i] := if i <= size(u, 1) then u[i] else 0.25*i;
    end for;
  end longer;
  function half "every other one"
    input Real u[:];
    output Real y[div(size(u, 1) + 1, 2)];
  algorithm
    for i in 1:size(y, 1) loop
      y[i] := u[2*i - 1];
    end for;
  end half;
  function weight
    input Real u[:];
    input Real k;
    output Real y;
  algorithm
    y := k;
    for i in 1:size(u, 1) loop
      y := y + i*u[i];
    end for;
  end weight;
'''


class Generator:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.start, self.found = self.rng.randint(1, 3), self.rng.randint(1, 4)
        self.values = [self.scalar(0) for _ in range(6)]

    def integer(self, level):
        c = self.rng.random()
        if c < 0.45:
            return 'n', lambda t, n, q: n
        if c < 0.65:
            return 'q', lambda t, n, q: q
        if c < 0.8 or level > 2:
            k = self.rng.randint(1, 3)
            return f'(n + {k})', lambda t, n, q: n + k
        text, f = self.array(level + 1)
        return f'size({text}, 1)', lambda t, n, q: len(f(t, n, q))

    def array(self, level):
        kind = self.rng.choice(['ramp', 'steps'] if level > 3 else ['ramp', 'steps', 'longer', 'half', 'scale', 'shift', 'double', 'cat'])
        if kind == 'ramp':
            text, f = self.integer(level + 1)
            return f'ramp({text})', lambda t, n, q: [i + 0.5 for i in range(f(t, n, q))]
        if kind == 'steps':
            a, b = round(self.rng.uniform(0, 2), 3), round(self.rng.uniform(0, 3), 3)
            return f'steps({a}*n + {b} + time)', lambda t, n, q: [(a*n + b + t)/(i + 1) for i in range(int(a*n + b + t) + 1)]
        text, f = self.array(level + 1)
        if kind == 'longer':
            more, g = self.integer(level + 1)
            return f'longer({text}, {more})', lambda t, n, q: (lambda u: u + [0.25*(i + 1) for i in range(len(u), len(u) + g(t, n, q))])(f(t, n, q))
        if kind == 'half':
            return f'half({text})', lambda t, n, q: f(t, n, q)[::2]
        c = round(self.rng.uniform(-2, 2), 3)
        if kind == 'scale':
            return f'(({c})*{text})', lambda t, n, q: [c*x for x in f(t, n, q)]
        if kind == 'shift':
            return f'({text} .+ ({c} + time))', lambda t, n, q: [x + (c + t) for x in f(t, n, q)]
        if kind == 'double':
            return f'({text} + {text})', lambda t, n, q: [x + x for x in f(t, n, q)]
        more, g = self.array(level + 1)
        return f'cat(1, {text}, {more})', lambda t, n, q: f(t, n, q) + g(t, n, q)

    def scalar(self, level):
        text, f = self.array(level)
        kind = self.rng.choice(['sum', 'max', 'min', 'dot', 'size', 'weight'])
        if kind == 'dot':
            return f'{text}*{text}', lambda t, n, q: sum(x*x for x in f(t, n, q))
        if kind == 'size':
            return f'size({text}, 1)', lambda t, n, q: len(f(t, n, q))
        if kind == 'weight':
            return f'weight({text}, time)', lambda t, n, q: t + sum((i + 1)*x for i, x in enumerate(f(t, n, q)))
        return f'{kind}({text})', lambda t, n, q: {'sum': sum, 'max': max, 'min': min}[kind](f(t, n, q))

    def text(self):
        lines = ['model Sizes', FUNCTIONS, f'  Integer n(start = {self.start}, fixed = true);',
                 '  parameter Integer q(start = 7, fixed = false);']
        lines += [f'  Real s{i};' for i in range(6)]
        lines += ['initial equation', f'  q = {self.found};', 'equation', '  when sample(0.125, 0.25) then', '    n = pre(n) + 1;', '  end when;']
        lines += [f'  s{i} = {v[0]};' for i, v in enumerate(self.values)]
        return '\n'.join(lines + ['end Sizes;', ''])


def check(g, program, path):
    done = subprocess.run([program, 'simulate', path, '--quiet', '--output-interval', '0.05', '--output-file', '-'],
                          capture_output=True, text=True)
    if done.returncode != 0 or 'warning' in done.stderr:
        return f'{path}: {done.stderr[:400]}'
    for row in csv.DictReader(io.StringIO(done.stdout)):
        t = float(row['time'])
        n = g.start + max(0, int((t - 0.125)//0.25) + 1)
        if abs((t - 0.125) % 0.25) < 1e-9:
            continue
        for i, (text, f) in enumerate(g.values):
            want = f(t, n, g.found)
            if f's{i}' in row and not abs(float(row[f's{i}']) - want) <= 1e-9*(1 + abs(want)):
                return f'{path}: s{i} = {text} is {row[f"s{i}"]} instead of {want} at {t}'
    return None


def main():
    program, folder, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    os.makedirs(folder, exist_ok=True)
    bad = 0
    for seed in range(first, first + count):
        g, path = Generator(seed), os.path.join(folder, f'Sizes_{seed}.mo')
        with open(path, 'w') as f:
            f.write(g.text())
        problem = check(g, program, path)
        if problem:
            print(problem)
            bad += 1
        else:
            os.remove(path)
    print(f'{6*count} expressions: {bad} of {count} models differ')
    sys.exit(bad > 0)


main()
