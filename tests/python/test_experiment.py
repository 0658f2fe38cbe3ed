# SPDX-License-Identifier: MIT
"""Sweeps, fits and optimisation, against closed forms."""

import csv
import math
import os
import tempfile
import unittest

import numpy as np
import support
import rattleback

try:
    import scipy  # noqa: F401
except ImportError:
    scipy = None

THROW = """model Throw
  parameter Real angle = 0.3, speed = 10;
  Real x(start = 0, fixed = true), h(start = 0, fixed = true);
  Real vx(start = speed*cos(angle), fixed = true), vh(start = speed*sin(angle), fixed = true);
equation
  der(x) = vx; der(h) = vh; der(vx) = 0; der(vh) = -9.81;
  assert(angle < 1.55, "too steep");
  when h < 0 then terminate("landed"); end when;
  annotation(experiment(StopTime = 10));
end Throw;
"""


class Sweeps(unittest.TestCase):
    def test_grid_and_failures(self):
        m = rattleback.load(text=THROW)
        angles, speeds = [0.2, 0.8, 1.56], [5.0, 10.0]
        for jobs in (1, 3):
            t = rattleback.sweep(m, {"angle": angles, "speed": speeds}, {"far": "x", "high": lambda r: r["h"].max()}, jobs=jobs)
            self.assertEqual(list(t), ["angle", "speed", "far", "high"])
            for i, (a, v) in enumerate((a, v) for a in angles for v in speeds):
                self.assertEqual((t["angle"][i], t["speed"][i]), (a, v))
                if a > 1.55:
                    self.assertIn("too steep", t.errors[i])
                    self.assertTrue(np.isnan(t["far"][i]))
                else:
                    self.assertEqual(t.errors[i], "")
                    self.assertAlmostEqual(t["far"][i], v * v * math.sin(2 * a) / 9.81, 5)

    def test_list_of_runs_and_table(self):
        m = rattleback.load(text=THROW)
        t = m.sweep([{"angle": 0.5, "speed": 1.0}, {"angle": 1.56, "speed": 2.0}], ["x"])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "t.csv")
            t.write(path)
            with open(path) as file:
                rows = list(csv.DictReader(file))
        self.assertEqual([r["run"] for r in rows], ["1", "2"])
        self.assertEqual([r["status"] for r in rows], ["0", "1"])
        self.assertAlmostEqual(float(rows[0]["x"]), math.sin(1) / 9.81, 5)
        self.assertEqual(rows[1]["x"], "")

    def test_wrong_use(self):
        m = rattleback.load(text=THROW)
        with self.assertRaisesRegex(rattleback.UsageError, "nothing is varied"):
            rattleback.sweep(m, {}, ["x"])
        with self.assertRaisesRegex(rattleback.UsageError, "q"):
            rattleback.sweep(m, {"q": [1]}, ["x"])


@unittest.skipUnless(scipy, "scipy is not installed")
class Searches(unittest.TestCase):
    def test_fit_of_two_experiments(self):
        random = np.random.default_rng(1)
        m = rattleback.load(text="model D parameter Real k = 1, a = 1; Real x(start = a, fixed = true); equation der(x) = -k*x; end D;")
        t = np.linspace(0.05, 3, 60)
        data = [({"time": t, "x": a * np.exp(-0.8 * t) + random.normal(0, 0.01, 60)}, {"a": a}) for a in (1.0, 3.0)]
        f = m.fit({"k": (0.1, 2, 10)}, data, jobs=2)
        # The deviation of k from its derivative a t exp(-k t).
        sigma = 0.01 / math.sqrt(sum(np.sum((a * t * np.exp(-0.8 * t)) ** 2) for a in (1, 3)))
        self.assertLess(abs(f.confidence["k"] / (1.96 * sigma) - 1), 0.2)
        self.assertLess(abs(f.values["k"] - 0.8), 2 * f.confidence["k"])
        self.assertLess(abs(f.noise["x"] / 0.01 - 1), 0.2)

    def test_farthest_throw_under_a_ceiling(self):
        m = rattleback.load(text=THROW)
        o = m.optimize({"angle": (0, 0.3, 1.5)}, lambda r: -r["x"][-1], subject_to=[lambda r: 2 - r["h"].max()])
        self.assertAlmostEqual(o.values["angle"], math.asin(math.sqrt(4 * 9.81) / 10), 4)
        self.assertAlmostEqual(o.objective, -o.result["x"][-1])

    def test_everywhere(self):
        m = rattleback.load(text="model W parameter Real a = 1; output Real f = 20 + a^2 - 10*cos(6.283185307179586*a); end W;")
        near = rattleback.optimize(m, {"a": (-4, 2.1, 5)}, lambda r: r["f"][-1], stop_time=1)
        best = rattleback.optimize(m, {"a": (-4, 2.1, 5)}, lambda r: r["f"][-1], everywhere=True, stop_time=1)
        self.assertLess(abs(best.values["a"]), 1e-3)
        self.assertLess(best.objective, near.objective + 1e-9)


if __name__ == "__main__":
    support.main()
