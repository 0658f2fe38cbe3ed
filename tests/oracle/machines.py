#!/usr/bin/env python3
"""Random state machines against an interpreter of their own.

  machines.py PROGRAM FOLDER FIRST COUNT

A model has state machines beside each other, whose states are blocks with variables, equations of several forms and machines of
their own; states give variables that are inner around them. Transitions are immediate or delayed, with priorities, reset and
synchronize, on conditions over the ticks, the variables and the states. The interpreter goes from tick to tick as one would by
hand: choose the transition, enter the state, compute what it says. Every tick all values go into two sums, and the model asserts
the sums and the last values at its end.
"""
import os
import random
import subprocess
import sys

TICKS = 60
RATE = 10  # ticks per second


class Var:
    def __init__(self, name, path, start, kind):
        self.name, self.path, self.start, self.value, self.kind, self.givers = name, path, start, start, kind, 0


class Block:
    """A state, or the model itself: its variables, rules and machines."""

    def __init__(self, gen, name, path, depth, machine, may_give, around):
        self.gen, self.name, self.path, self.depth, self.machine, self.around = gen, name, path, depth, machine, around
        self.vars, self.rules, self.readers, self.machines, self.inner = [], [], [], [], []
        self.declarations, self.equations, self.given = [], [], {}
        self.stale, self.ticks, self.seen = True, 0, -1  # reset when entered; ticks in it; last tick at which it was active
        self.is_final = True
        self.fill(may_give)

    # --- what is in it ---

    def var(self, letter, start, kind='Integer'):
        v = Var(f'{letter}{len(self.vars)}', None, start, kind)
        v.path = self.path + v.name
        self.vars.append(v)
        return v

    def declare(self, v):
        self.declarations.append(f'{v.kind} {v.name}(start = {v.start});')

    def fill(self, may_give):
        rng = self.gen.rng
        for _ in range(rng.randint(0 if self.machine else 0, 3 if self.machine else 0)):
            getattr(self, 'add_' + rng.choice(['count', 'real', 'implicit', 'pair', 'algorithm', 'choice', 'when', 'array']))()
        if self.machine and rng.random() < 0.4:
            self.add_reader()
        own, passed = [], list(may_give)
        if self.machine:
            for v in may_give:
                if rng.random() < 0.5:
                    passed.remove(v)
                    if rng.random() < 0.7:
                        self.add_giver(v)
        if self.depth < 3 and (not self.machine or rng.random() < (0.45 if self.depth == 1 else 0.3)):
            if not self.machine or rng.random() < 0.4:
                for _ in range(rng.randint(1, 2)):
                    c = self.var('c', rng.randint(-3, 3))
                    self.declarations.append(f'inner Integer {c.name}{self.gen.tag()}(start = {c.start});')
                    c.name = self.declarations[-1].split()[2].split('(')[0]
                    c.path = self.path + c.name
                    own.append(c)
            self.inner = own
            count = rng.randint(1, 2)
            shares = [[] for _ in range(count)]
            for v in passed + own:
                shares[rng.randrange(count)].append(v)
            givers = [v.givers for v in passed]
            for k in range(count):
                self.machines.append(Machine(self.gen, self, k, shares[k]))
            for v, n in zip(passed, givers):
                if self.machine and v.givers > n and rng.random() < 0.5 and getattr(self, 'read', None) is not v:
                    self.declarations.append(f'inner outer output Integer {v.name};')
            for c in own:
                if not c.givers:
                    self.count(c, 1)

    def count(self, v, step):
        self.equations.append(f'{v.name} = previous({v.name}) + {step};')
        self.rules.append(lambda old: {v: old[v] + step})

    def add_count(self):
        v = self.var('x', self.gen.rng.randint(-2, 2))
        self.declare(v)
        self.count(v, self.gen.rng.choice([1, 2, 3]))
        if self.gen.rng.random() < 0.5:  # follows by its declaration
            m = self.var('m', 0)
            self.declarations.append(f'Integer {m.name} = 2*{v.name} - k;')
            self.rules.append(lambda old: {m: 2*v.value - self.gen.k})

    def add_real(self):
        v = self.var('y', self.gen.rng.randint(-4, 4)/2, 'Real')
        self.declare(v)
        self.equations.append(f'{v.name} = 0.5*previous({v.name}) + k;')
        self.rules.append(lambda old: {v: 0.5*old[v] + self.gen.k})

    def add_implicit(self):
        v = self.var('z', 1.0, 'Real')
        self.declare(v)
        self.equations.append(f'2*{v.name} - previous({v.name}) = 3 - {v.name};')
        self.rules.append(lambda old: {v: (3 + old[v])/3})

    def add_pair(self):
        a, b = self.var('a', 0.5, 'Real'), self.var('b', 0.25, 'Real')
        self.declare(a)
        self.declare(b)
        self.equations.append(f'{a.name} + {b.name} = k;')
        self.equations.append(f'previous({a.name}) = {a.name} - {b.name};')
        self.rules.append(lambda old: {a: (self.gen.k + old[a])/2, b: (self.gen.k - old[a])/2})

    def add_algorithm(self):
        v = self.var('s', self.gen.rng.randint(-2, 2))
        self.declare(v)
        self.equations.append(('algorithm', f'{v.name} := {v.name} + 1; if mod(k, 3) == 0 then {v.name} := 2*{v.name}; end if; '
                                            f'{v.name} := mod({v.name}, 17);'))

        def rule(old):
            x = old[v] + 1
            return {v: (2*x if self.gen.k % 3 == 0 else x) % 17}
        self.rules.append(rule)

    def add_choice(self):
        a, b = self.var('d', 1), self.var('e', 0)
        self.declare(a)
        self.declare(b)
        self.equations.append(f'if mod(k, 4) < 2 then {a.name} = previous({a.name}) + 1; {b.name} = {a.name} - 1; '
                              f'else {a.name} = -previous({a.name}); {b.name} = 5; end if;')

        def rule(old):
            x = old[a] + 1 if self.gen.k % 4 < 2 else -old[a]
            return {a: x, b: x - 1 if self.gen.k % 4 < 2 else 5}
        self.rules.append(rule)

    def add_when(self):
        v = self.var('n', 0)
        self.declare(v)
        self.equations.append(f'when Clock() then {v.name} = mod(previous({v.name}) + k, 101); end when;')
        self.rules.append(lambda old: {v: (old[v] + self.gen.k) % 101})

    def add_array(self):
        v, w = self.var('p', 2), self.var('q', 2)
        self.declarations.append(f'Integer f{v.name}[2](each start = 2);')
        v.path, w.path = f'{self.path}f{v.name}[1]', f'{self.path}f{v.name}[2]'
        self.equations.append(f'f{v.name}[1] = previous(f{v.name}[2]) + 1; f{v.name}[2] = previous(f{v.name}[1]);')
        self.rules.append(lambda old: {v: old[w] + 1, w: old[v]})

    def shared(self):
        """What is inner around it."""
        b, found = self.around, []
        while b:
            found += b.inner
            b = b.around
        return found

    def add_reader(self):
        shared = self.shared()
        if not shared:
            return
        u, w = self.gen.rng.choice(shared), self.var('w', 0)
        self.declarations.append(f'outer input Integer {u.name}; Integer {w.name} = {u.name} + 1;')
        self.readers.append((w, u))
        self.read = u

    def add_giver(self, v):
        rng, step = self.gen.rng, self.gen.rng.randint(-3, 3)
        if getattr(self, 'read', None) is v:
            return
        kind = rng.randrange(3)
        v.givers += 1
        self.declarations.append(f'outer output Integer {v.name};')
        self.equations.append([f'{v.name} = previous({v.name}) + ({step});', f'{v.name} = k - previous({v.name});',
                               ('algorithm', f'{v.name} := {v.name} + ({step});')][kind])
        self.given[v] = lambda old: self.gen.k - old if kind == 1 else old + step

    # --- a tick ---

    def step(self, tick, reset, entered):
        if reset:
            for v in self.vars:
                v.value = v.start
        self.ticks = 1 if entered else self.ticks + 1
        old = {v: v.value for v in self.vars}
        self.last_k = self.gen.k
        for rule in self.rules:
            for v, x in rule(old).items():
                v.value = x
        for v, f in self.given.items():
            v.value = f(v.value)
        for m in self.machines:
            m.step(tick, reset, entered)
        self.seen = tick

    def finish(self, tick):
        for w, u in self.readers:
            w.value = u.value + 1
        for m in self.machines:
            m.finish(tick)

    # --- text ---

    def text(self, indent):
        pad = '  '*indent
        lines = [pad + d for d in self.declarations]
        for m in self.machines:
            lines += m.declarations(indent)
        plain = [e for e in self.equations if isinstance(e, str)] + [t for m in self.machines for t in m.texts]
        self.gen.order.shuffle(plain)
        lines += [pad + 'equation'] + [pad + e for e in plain]
        for e in self.equations:
            if not isinstance(e, str):
                lines += [pad + 'algorithm', pad + e[1]]
        return lines

    def everything(self):
        yield self
        for m in self.machines:
            for s in m.states:
                yield from s.everything()


class Machine:
    def __init__(self, gen, block, number, may_give):
        rng = gen.rng
        self.gen, self.block, self.states, self.transitions = gen, block, [], []
        for i in range(rng.randint(2, 4)):
            name = f's{number}{"abcd"[i]}'
            self.states.append(Block(gen, name, block.path + name + '.', block.depth + 1, self, may_give, block))
        self.initial = rng.choice(self.states)
        self.current, self.late = None, None
        self.texts = [f'initialState({self.initial.name});']
        for s in self.states:
            count = rng.choice([0, 1, 1, 2, 2, 3]) if s is not self.initial else rng.randint(1, 3)
            priorities = rng.sample(range(1, 5), count)
            for p in priorities:
                self.add(s, rng.choice(self.states), p)
        for s in self.states:  # all belong to one machine
            if s is not self.initial and not any(s in (a, b) and a is not b for a, b, *_ in self.transitions):
                self.add(self.initial, s, len(self.transitions) + 5)
        self.connect()
        for s in self.states:
            s.is_final = all(t[0] is not s for t in self.transitions)

    def connect(self):
        known, more = {self.initial}, True
        while len(known) < len(self.states):
            more = [x for a, b, *_ in self.transitions for x in (a, b) if (a in known) != (b in known) and x not in known]
            if not more:
                s = next(s for s in self.states if s not in known)
                self.add(self.initial, s, len(self.transitions) + 20)
                more = [s]
            known |= set(more)

    def add(self, a, b, priority):
        rng, immediate, reset = self.gen.rng, self.gen.rng.random() < 0.5, self.gen.rng.random() < 0.6
        synchronize = bool(a.machines) and rng.random() < 0.4
        kinds = ['k', 'k', 'ticks', 'time', 'previous'] + ([] if immediate else ['own', 'active', 'shared']) + \
                (['true'] if synchronize else [])
        text, rule = getattr(self, 'on_' + rng.choice(kinds))(a, immediate)
        options = [f'immediate = {str(immediate).lower()}' if not immediate or rng.random() < 0.3 else '',
                   f'reset = {str(reset).lower()}' if not reset or rng.random() < 0.3 else '',
                   'synchronize = true' if synchronize else '', f'priority = {priority}' if priority > 1 else '']
        rng.shuffle(options)
        self.texts.append(f'transition({a.name}, {b.name}, {text}{"".join(", " + o for o in options if o)});')
        self.transitions.append((a, b, rule, immediate, reset, synchronize, priority))

    def on_true(self, a, immediate):
        return 'true', lambda: True

    def on_k(self, a, immediate):
        m, r = self.gen.rng.randint(2, 5), self.gen.rng.randint(0, 1)
        return f'mod(k, {m}) == {r}', lambda: self.gen.k % m == r

    def on_ticks(self, a, immediate):
        n = self.gen.rng.randint(1, 5)
        return f'ticksInState() >= {n}', lambda: a.ticks >= n

    def on_time(self, a, immediate):  # whether the state goes on is not known before: the ticks that have passed
        n = self.gen.rng.randint(1, 6)
        return f'timeInState() >= {n/RATE}', lambda: (a.ticks if immediate else a.ticks - 1) >= n

    def on_previous(self, a, immediate):
        v = next((v for v in a.vars if v.kind == 'Integer' and v.name[0] in 'xn'), None)
        if not v:
            return self.on_k(a, immediate)
        n = self.gen.rng.randint(0, 6)
        return f'previous({a.name}.{v.name}) > {n}', lambda: v.before > n

    def on_own(self, a, immediate):
        v = next((v for v in a.vars if v.kind == 'Integer' and v.name[0] in 'xnd'), None)
        if not v:
            return self.on_k(a, immediate)
        n = self.gen.rng.randint(0, 6)
        return f'{a.name}.{v.name} > {n}', lambda: v.value > n

    def on_active(self, a, immediate):
        if not a.machines:
            return self.on_k(a, immediate)
        m = self.gen.rng.choice(a.machines)
        s = self.gen.rng.choice(m.states)
        return f'activeState({a.name}.{s.name})', lambda: m.current is s and s.seen == self.gen.tick

    def on_shared(self, a, immediate):
        shared = self.block.inner
        if not shared:
            return self.on_k(a, immediate)
        v, n = self.gen.rng.choice(shared), self.gen.rng.randint(-3, 3)
        return f'{v.name} > {n}', lambda: v.value > n

    # --- a tick ---

    def done(self, s):
        return all(m.current is not None and m.current.is_final for m in s.machines)

    def best(self, immediate):
        fit = [t for t in self.transitions if t[0] is self.current and t[3] == immediate and t[2]() and (not t[5] or self.done(t[0]))]
        return min(fit, key=lambda t: t[6]) if fit else None

    def step(self, tick, reset, entered):
        fired = None
        if reset:
            for s in self.states:
                s.stale = True
            self.current = self.initial
        else:
            options = [t for t in (self.late, self.best(True)) if t]
            fired = min(options, key=lambda t: t[6]) if options else None
            if fired:
                self.current = fired[1]
        s = self.current
        again = s.stale or (fired is not None and fired[4])
        s.stale = False
        s.step(tick, again, entered or fired is not None or s.seen != tick - 1)

    def finish(self, tick):
        self.current.finish(tick)
        self.late = self.best(False)

    # --- text ---

    def declarations(self, indent):
        pad, lines = '  '*indent, []
        for s in self.states:
            lines += [f'{pad}block {s.name.upper()}', f'{pad}  outer input Integer k;'] + s.text(indent + 1) + [f'{pad}end {s.name.upper()};',
                                                                                                           f'{pad}{s.name.upper()} {s.name};']
        return lines


class Model:
    def __init__(self, seed):
        self.rng, self.order, self.k, self.tags = random.Random(seed), random.Random(seed + 1), 0, 0
        self.root = Block(self, 'M', '', 0, None, [], None)
        self.vars = [v for b in self.root.everything() for v in b.vars]
        self.states = [b for b in self.root.everything() if b.machine]

    def tag(self):
        self.tags += 1
        return f'_{self.tags}'

    def run(self):
        self.sum, self.real = 0, 0.0
        for tick in range(TICKS):
            self.k, self.tick = tick + 1, tick
            for v in self.vars:
                v.before = v.value
            self.root.step(tick, tick == 0, tick == 0)
            self.root.finish(tick)
            self.sum = (7*self.sum + sum((i + 1)*v.value for i, v in enumerate(self.vars) if v.kind == 'Integer')
                        + sum((i + 1)*100 for i, s in enumerate(self.states) if s.seen == tick)) % 1000003
            self.real = 0.5*self.real + sum((i + 1)*v.value for i, v in enumerate(self.vars) if v.kind == 'Real')

    def text(self):
        whole = ' + '.join([f'{i + 1}*{v.path}' for i, v in enumerate(self.vars) if v.kind == 'Integer']
                           + [f'(if activeState({s.path[:-1]}) then {100*(i + 1)} else 0)' for i, s in enumerate(self.states)])
        real = ' + '.join([f'{i + 1}*{v.path}' for i, v in enumerate(self.vars) if v.kind == 'Real'] or ['0'])
        lines = ['model M', '  inner Integer k(start = 0);', '  Integer total(start = 0);', '  Real reals(start = 0);'] + self.root.text(1)
        lines += ['equation', f'  when Clock(1, {RATE}) then', '    k = previous(k) + 1;',
                  f'    total = mod(7*previous(total) + {whole}, 1000003);', f'    reals = 0.5*previous(reals) + {real};', '  end when;']
        lines += ['  when terminal() then']
        for v in self.vars:
            shown = f'hold({v.path})'
            lines.append(f'    assert(abs({shown} - ({v.value!r})) <= 1e-9*(1 + abs({shown})), "{v.path} is " + String({shown}) + ", not {v.value!r}");')
        lines += [f'    assert(hold(total) == {self.sum}, "total is " + String(hold(total)) + ", not {self.sum}");',
                  f'    assert(abs(hold(reals) - ({self.real!r})) <= 1e-9*(1 + abs(hold(reals))), "reals is " + String(hold(reals)) + ", not {self.real!r}");']
        return '\n'.join(lines + ['  end when;', 'end M;', ''])


def main():
    program, folder, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    os.makedirs(folder, exist_ok=True)
    bad = states = transitions = deepest = 0
    for seed in range(first, first + count):
        model, path = Model(seed), os.path.join(folder, f'Machine_{seed}.mo')
        model.run()
        states += len(model.states)
        transitions += sum(len(m.transitions) for b in model.root.everything() for m in b.machines)
        deepest = max([deepest] + [s.depth for s in model.states])
        with open(path, 'w') as f:
            f.write(model.text())
        done = subprocess.run([program, 'simulate', path, '--stop-time', str((TICKS - 0.5)/RATE), '--output-file', path + '.mat',
                               '--variable-filter', 'k'], capture_output=True, text=True)
        if done.returncode != 0 or 'warning' in done.stderr:
            print(f'{path}:\n{done.stderr[:600]}')
            bad += 1
        else:
            os.remove(path)
        if os.path.exists(path + '.mat'):
            os.remove(path + '.mat')
    print(f'{count} models, {states} states on up to {deepest} levels, {transitions} transitions, {TICKS} ticks each: {bad} differ')
    sys.exit(bad > 0)


main()
