#!/usr/bin/env python3
"""Random conditions on functions of time, fast and slow, whose number of events is known in closed form.

  clocks.py PROGRAM FOLDER FIRST COUNT

The phase p(t) = b t + a t^2 + c rises; sin(p) rises through h wherever p = asin(h) + 2 pi k.
"""
import math
import os
import random
import subprocess
import sys

STOP = 1.0
FORMS = [
    'sin({p}) > {h}',
    'not sin({p}) <= {h}',
    '3*sin({p}) - {h} > 2*{h}',
    'exp(-2*time)*(sin({p}) - {h}) > 0',
    '(sin({p}) - {h})/(1 + time) > 0',
    'max(sin({p}), -0.99) > {h}',
    'cos({p} - pi/2) > {h}',
    'atan(sin({p}) - {h}) > 0',
    '(sin({p}) - {h})^3 > 0',
    'noEvent(sin({p})) > {h}',
    'y{i} > {h}',
    'z{i} > 0',
    'f({p}) > {h}',
]


def case(rng, i):
    b, a = 10**rng.uniform(1, 4), rng.choice([0, 10**rng.uniform(1, 4)])
    c, h = rng.uniform(0, 6), round(rng.uniform(-0.9, 0.9), 3)
    form = rng.choice(FORMS)
    p = f'({b!r}*time + {a!r}*time^2 + {c!r})'
    first, last = (c - math.asin(h))/(2*math.pi), (b*STOP + a*STOP**2 + c - math.asin(h))/(2*math.pi)
    near = min(abs(x - round(x)) for x in (first, last))
    if near < 1e-3:
        return case(rng, i)
    return form.format(p=p, h=f'({h})', i=i), p, h, math.floor(last) - math.floor(first)


def text(cases):
    lines = ['model Clocks', '  constant Real pi = 3.141592653589793;', '  function f', '    input Real u;', '    output Real y = sin(u);',
             '  end f;']
    for i, (_, p, h, _) in enumerate(cases):
        lines.append(f'  Integer n{i}(start = 0, fixed = true);')
        lines.append(f'  Real y{i} = sin({p}), z{i} = 2*(y{i} - ({h}));')
    lines.append('equation')
    for i, (condition, _, _, _) in enumerate(cases):
        lines.append(f'  when {condition} then')
        lines.append(f'    n{i} = pre(n{i}) + 1;')
        lines.append('  end when;')
    wants = ' and '.join(f'n{i} == {c[3]}' for i, c in enumerate(cases))
    shown = ' + ", " + '.join(f'String(n{i})' for i in range(len(cases)))
    lines.append(f'  when terminal() then\n    assert({wants}, {shown});\n  end when;')
    return '\n'.join(lines + ['end Clocks;', ''])


def main():
    program, folder, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    os.makedirs(folder, exist_ok=True)
    bad = events = 0
    for seed in range(first, first + count):
        rng, path = random.Random(seed), os.path.join(folder, f'Clocks_{seed}.mo')
        cases = [case(rng, i) for i in range(2)]
        events += sum(c[3] for c in cases)
        with open(path, 'w') as f:
            f.write(text(cases))
        done = subprocess.run([program, 'simulate', path, '--quiet', '--stop-time', str(STOP), '--output-file', path + '.mat',
                               '--variable-filter', 'n0'], capture_output=True, text=True)
        if done.returncode != 0 or 'warning' in done.stderr:
            print(f'{path}: {[c[3] for c in cases]} events, but\n{done.stderr[:400]}')
            bad += 1
        else:
            os.remove(path)
        if os.path.exists(path + '.mat'):
            os.remove(path + '.mat')
    print(f'{2*count} conditions with {events} events: {bad} of {count} models differ')
    sys.exit(bad > 0)


main()
