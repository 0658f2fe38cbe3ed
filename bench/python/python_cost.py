# SPDX-License-Identifier: MIT
"""What Python costs: the loop of examples/c/control.c (1,000 steps per second, get 4, set 2) in Python and in C, and reading a
large result into numpy. Usage: python_cost.py COMPILED-LOOP; the loop is bench/python/loop.c, which prints seconds of CPU time.

    cc -O2 -I include bench/python/loop.c -o /tmp/loop -L build/release -lrattleback
    LD_LIBRARY_PATH=build/release PYTHONPATH=python python3 bench/python/python_cost.py /tmp/loop
"""

import os
import re
import subprocess
import sys
import time

import numpy as np
import rattleback

SECONDS = 20


def model_text():
    source = open(os.path.join(os.path.dirname(__file__), "..", "..", "examples", "c", "control.c")).read()
    return "\n".join(re.findall(r'^    "(.*)\\n"', source, re.M))


def python_loop(model):
    states, inputs = ("phi1", "phi2", "w1", "w2"), ("tau1", "tau2")
    with model.run(SECONDS) as run:
        start = time.process_time()
        for k in range(1, 1000 * SECONDS + 1):
            phi1, phi2, w1, w2 = run.get(states)
            run.set(inputs, (-120 * phi1 - 30 * w1, -60 * (phi2 - phi1) - 10 * (w2 - w1)))
            run.step(until=1e-3 * k)
        return time.process_time() - start


def python_steps(model, seconds):
    with model.run(seconds) as run:
        start = time.process_time()
        for k in range(1, 1000 * seconds + 1):
            run.step(until=1e-3 * k)
        return time.process_time() - start


def compare(name, ours, command, rounds):
    """The least of some runs of each, in turn."""
    pairs = [(ours(), float(subprocess.run(command, capture_output=True, check=True).stdout)) for _ in range(7)]
    python, c = (min(column) * 1e6 / rounds for column in zip(*pairs))
    print(f"{name}: Python {python:.1f} us, C {c:.1f} us per round, ratio {python / c:.2f}")


def stepping(loop):
    control = rattleback.load(text=model_text())
    compare("get 4, set 2, step", lambda: python_loop(control), [loop, str(SECONDS)], 1000 * SECONDS)
    for scene, seconds in (("billiards", 2), ("double-pendulum", 10), ("rattleback", 5)):
        if scene in rattleback.examples():
            model = rattleback.example(scene)
            compare(f"step {scene}", lambda: python_steps(model, seconds), [loop, str(seconds), scene], 1000 * seconds)


def reading():
    text = "model Many parameter Integer n = 100; Real x[n](start = 1:n, each fixed = true); equation for i in 1:n loop der(x[i]) = -x[i]*i/n; end for; end Many;"
    result = rattleback.load(text=text).simulate(1, interval=1e-5)
    size = os.path.getsize(result.file)
    start = time.process_time()
    raw = np.fromfile(result.file, np.uint8)
    cache = time.process_time() - start
    start = time.process_time()
    again = rattleback.read(result.file)
    opened = time.process_time() - start
    matrix = again.to_numpy()
    whole = time.process_time() - start
    start = time.process_time()
    again["x[7]"]
    one = time.process_time() - start
    print(f"reading: file {size / 1e6:.0f} MB, array {matrix.nbytes / 1e6:.0f} MB; np.fromfile {raw.size / cache / 1e6:.0f} MB/s")
    print(f"all into numpy {whole:.2f} s ({matrix.nbytes / whole / 1e6:.0f} MB/s, opening {opened:.2f} s); one variable {one * 1e3:.1f} ms")


if __name__ == "__main__":
    stepping(sys.argv[1])
    reading()
