# SPDX-License-Identifier: MIT
"""Runs that are held: stepping, values, saving, control laws, threads, Ctrl-C."""

import math
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np
import support
import rattleback

SLOW = """model Slow Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation der(x) = v; der(v) = -1e4*x; annotation(experiment(StopTime = 1e6)); end Slow;"""


class Runs(unittest.TestCase):
    def test_values_by_name_and_as_arrays(self):
        with rattleback.load(text=support.PENDULUM).run(10) as run:
            self.assertEqual((run.state_names, run.input_names), (["phi", "w"], ["tau"]))
            run.states = [0.1, 0.2]
            np.testing.assert_array_equal(run.get(["phi", "w"]), [0.1, 0.2])
            run.set(("phi", "tau"), [0.3, 2])
            self.assertEqual((run["phi"], run["tau"]), (0.3, 2))
            run["L"] = 2
            self.assertAlmostEqual(run["der(w)"], -9.81 / 2 * math.sin(0.3) + 2)
            np.testing.assert_allclose(run.derivatives(), [0.2, -9.81 / 2 * math.sin(0.3) + 2])
            np.testing.assert_allclose(run.derivatives([0, 1]), [1, 2])
            np.testing.assert_allclose(run.jacobian(), [[0, 1], [-9.81 / 2 * math.cos(0.3), 0]], atol=1e-6)
            self.assertIn("phi", run)
            self.assertNotIn("psi", run)
            with self.assertRaises(KeyError):
                run["psi"]
            with self.assertRaises(rattleback.UsageError):
                run.states = [1]
            kinds = {v.name: v.kind for v in run.variables}
            self.assertEqual((kinds["phi"], kinds["tau"], kinds["g"]), ("state", "input", "parameter"))

    def test_linear_system_of_a_motor(self):
        """L i' = u - R i - k w, J w' = k i - d w: from u to w k/((R + L s)(d + J s) + k^2)."""
        text = """model Motor input Real u(start = 2); Real i(start = 0, fixed = true), w(start = 0, fixed = true); output Real y = 2*w + 3*u;
        equation 2e-3*der(i) = u - 0.5*i - 0.1*w; 1e-3*der(w) = 0.1*i - 1e-4*w; end Motor;"""
        with rattleback.load(text=text).run(1) as run:
            rest = run.find_rest()
            np.testing.assert_allclose(run.states, [2 * 1e-4 / (0.5e-4 + 0.01), 2 * 0.1 / (0.5e-4 + 0.01)], rtol=1e-8)
            self.assertLess(rest.rate, 1e-6)
            system = run.linearize(outputs=["w", "y"])
            with self.assertRaises(KeyError):
                run.linearize(outputs=["nothing"])
        self.assertEqual((system.states, system.inputs, system.outputs), (["i", "w"], ["u"], ["w", "y"]))
        np.testing.assert_allclose(system.A, [[-250, -50], [100, -0.1]], rtol=1e-6)
        np.testing.assert_allclose(system.D, [[0], [3]], atol=1e-8)
        modes = system.modes()
        shapes = system.shapes()  # A v = v lambda
        self.assertLess(np.abs(system.A @ shapes - shapes * modes.values).max(), 1e-9)
        np.testing.assert_allclose(np.sort_complex(modes.values), np.sort_complex(np.roots([1, 250.1, 25 + 5000])), rtol=1e-6)
        np.testing.assert_allclose(modes.participation.sum(axis=1), 1)
        np.testing.assert_allclose(modes.damping, 1)
        s = 2j * math.pi * np.array([0.1, 10.0])
        w = 0.1 / ((0.5 + 2e-3 * s) * (1e-4 + 1e-3 * s) + 0.01)
        np.testing.assert_allclose(system.response([0.1, 10.0])[:, :, 0], np.stack([w, 2 * w + 3], axis=1), rtol=1e-6)
        np.testing.assert_allclose(system.response(10.0)[0, 0], w[1], rtol=1e-6)

    def test_steps(self):
        m = rattleback.load(text="model D Real x(start = 1, fixed = true); equation der(x) = -x; end D;")
        with m.run(2, tolerance=1e-9, record=True) as run:
            self.assertEqual(run.step(until=0.5)[:2], (0.5, False))
            self.assertAlmostEqual(run["x"], math.exp(-0.5), 8)
            run.step(by=0.25)
            self.assertAlmostEqual(run.time, 0.75)
            self.assertGreater(run.step().time, 0.75)
            self.assertTrue(run.step(until=5).finished)
        self.assertEqual((run.closed, run.summary.time), (True, 2))
        self.assertAlmostEqual(run.result["x"][-1], math.exp(-2), 8)
        with self.assertRaises(rattleback.UsageError):
            run.step()
        run.close()

    def test_events(self):
        with rattleback.load(text=support.BALL).run(1.2, tolerance=1e-9) as run:
            times = []
            for event in run.events():
                times.append(event.time)
                self.assertTrue(event.state_event)
                self.assertIn("h < 0", event.indicator)
            fall = math.sqrt(2 / 9.81)
            self.assertAlmostEqual(times[0], fall, 8)
            self.assertAlmostEqual(times[-1], fall * (1 + 2 * 0.7), 8)
            self.assertTrue(run.finished)

    def test_a_saved_run_goes_on_with_the_same_bits(self):
        m = rattleback.load(text=support.BALL)
        with m.run(1.2) as run:
            run.step(until=0.3)
            saved = run.save()
            run.step(until=1)
            want = run.states
            run.restore(saved)
            self.assertEqual(run.time, 0.3)
            run.step(until=1)
            np.testing.assert_array_equal(run.states, want)
        with m.run(1.2) as other:
            other.restore(saved)
            other.step(until=1)
            np.testing.assert_array_equal(other.states, want)
            with self.assertRaises(rattleback.Error):
                other.restore(b"nonsense")

    def test_values_of_a_run_are_gone_with_it(self):
        m = rattleback.load(text=support.PENDULUM)
        with m.run(1) as run:
            run["L"] = 5
        with m.run(1) as run:
            self.assertEqual(run["L"], 1)

    def test_a_control_law(self):
        m = rattleback.load(text=support.PENDULUM)
        laws = [lambda t, x: 9.81 * math.sin(x["phi"]) - 4 * x["phi"], lambda t, x: {"tau": 9.81 * math.sin(x.values[0]) - 4 * x["phi"]}]
        for law in laws:
            with m.run(3, tolerance=1e-9) as run:
                run.states = [1, 0]
                run["tau"] = 0.25
                run.control(law)
                run.step(until=2)
                self.assertAlmostEqual(run["phi"], math.cos(2 * 2), 6)  # phi'' = -4 phi
                run.control(None)
                self.assertEqual(run["tau"], 0.25)

    def test_what_a_law_raises_ends_the_step(self):
        def law(t, x):
            if t > 0.5:
                raise ZeroDivisionError("ours")
            return 0

        with rattleback.load(text=support.PENDULUM).run(3) as run:
            run.control(law)
            with self.assertRaisesRegex(ZeroDivisionError, "ours"):
                run.step(until=2)
            self.assertLess(run.time, 1)
            run.control(None)
            self.assertTrue(run.step(until=3).finished)  # it can go on

    def test_wrong_laws(self):
        with rattleback.load(text=support.PENDULUM).run(3) as run:
            run.control(lambda t, x: x["psi"])
            with self.assertRaisesRegex(KeyError, "psi"):
                run.step(until=1)
            run.control(lambda t, x: [1, 2, 3])
            with self.assertRaises(ValueError):
                run.step(until=1)
            run.control(lambda t, x: run["phi"])  # a law cannot use the run itself
            with self.assertRaisesRegex(rattleback.UsageError, "busy"):
                run.step(until=1)
        with rattleback.load(text=support.BALL).run(1) as run:
            with self.assertRaisesRegex(rattleback.UsageError, "no inputs"):
                run.control(lambda t, x: 0)

    def test_runs_in_threads(self):
        m = rattleback.load(text=support.BALL)
        want = {e: m.simulate(e=e).summary.state_hash for e in (0.5, 0.6, 0.7, 0.8)}
        got = []

        def work(e):
            for _ in range(5):
                got.append((e, m.simulate(e=e).summary.state_hash))
                with m.run(1.2, e=e) as run:
                    run.step(until=1)

        threads = [threading.Thread(target=work, args=(e,)) for e in want]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(len(got), 20)
        self.assertTrue(all(want[e] == h for e, h in got))

    def test_other_threads_go_on_during_a_step(self):
        """The interpreter lock is free while C computes; interrupt() ends a step of another thread."""
        with rattleback.load(text=SLOW).run() as run:
            caught = []

            def work():
                try:
                    run.step(until=1e6)
                except rattleback.Interrupted as error:
                    caught.append(error)

            thread = threading.Thread(target=work)
            thread.start()
            count, end = 0, time.monotonic() + 0.2
            while time.monotonic() < end:
                count += 1
            with self.assertRaisesRegex(rattleback.UsageError, "busy"):
                run["x"]
            run.interrupt()
            thread.join(20)
            self.assertFalse(thread.is_alive())
            self.assertEqual(len(caught), 1)
            self.assertGreater(count, 1000)

    def test_an_abandoned_run_is_given_back(self):
        m = rattleback.load(text=support.BALL)
        for _ in range(50):
            run = m.run(1)
            run.step(until=0.5)
        del run


class Interrupts(unittest.TestCase):
    def interrupted(self, body):
        """What a program prints that gets SIGINT once it has called ready()."""
        head = f"import sys; sys.path[:0] = {sys.path!r}\nimport rattleback\nm = rattleback.load(text={SLOW!r})\n"
        head += "def ready(progress=None, told=[]):\n    told or print('ready', flush=True)\n    told.append(1)\n"
        program = subprocess.Popen([sys.executable, "-c", head + body], stdout=subprocess.PIPE, text=True)
        self.assertEqual(program.stdout.readline(), "ready\n")
        time.sleep(0.1)
        os.kill(program.pid, signal.SIGINT)
        try:
            return program.communicate(timeout=30)[0]
        finally:
            program.kill()

    def test_ctrl_c_keeps_what_was_computed(self):
        out = self.interrupted("""
try:
    m.simulate(interval=0.01, progress=ready)
except KeyboardInterrupt as error:
    r = error.result
    print(type(error).__name__, r.rows > 10, r.complete, m.last_result is r, 'interrupted' in str(error))
""")
        self.assertEqual(out, "Interrupted True False True True\n")

    def test_ctrl_c_in_a_held_run(self):
        out = self.interrupted("""
with m.run(record=True, interval=0.01, progress=ready) as run:
    try:
        run.step(until=1e6)
    except rattleback.Interrupted:
        at = run.time
        run.step(by=0.1)
        print(0 < at < run.time)
print(run.result.time[-1] > at)
""")
        self.assertEqual(out, "True\nTrue\n")

    def test_ctrl_c_between_steps_is_that_of_python(self):
        out = self.interrupted("""
with m.run() as run:
    run.step(until=0.1)
    try:
        ready()
        import time; time.sleep(20)
    except KeyboardInterrupt as error:
        print(type(error).__name__)
""")
        self.assertEqual(out, "KeyboardInterrupt\n")


if __name__ == "__main__":
    support.main()
