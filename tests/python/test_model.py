# SPDX-License-Identifier: MIT
"""Loading, simulating, results and errors, against closed forms."""

import gc
import math
import os
import pathlib
import tempfile
import unittest
import warnings

import numpy as np
import support
import rattleback

G = 9.81


class Models(unittest.TestCase):
    def test_bounces_are_those_of_the_closed_form(self):
        m = rattleback.load(text=support.BALL)
        for e in (0.7, 0.5, 0.7):  # an instance is used again, with another value and back
            r = m.simulate(e=e, tolerance=1e-9)
            fall = math.sqrt(2 / G)
            jump = np.flatnonzero(np.diff(r["v"]) > 1)[0]
            self.assertAlmostEqual(r["v"][jump + 1] / -r["v"][jump], e, 8)
            self.assertAlmostEqual(r.time[jump], fall, 8)
            self.assertEqual(r.time[jump], r.time[jump + 1])
        self.assertAlmostEqual(m.simulate()["e"][0], 0.7)  # what was set is gone

    def test_what_a_model_consists_of(self):
        m = rattleback.load(text=support.BALL)
        self.assertEqual((m.name, m.description, m.state_count), ("Ball", "A ball bounces", 2))
        self.assertEqual(m.experiment.stop_time, 1.2)
        self.assertEqual(m.parameters["e"].description, "coefficient of restitution")
        self.assertEqual((m.states["h"].unit, float(m.states["h"].value)), ("m", 1.0))
        self.assertIn("tau", rattleback.load(text=support.PENDULUM).inputs)
        self.assertIn("h", m.system())

    def test_files_classes_examples(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "Ball.mo")
            path.write_text(support.BALL)
            self.assertEqual(rattleback.load(path).name, "Ball")
        self.assertTrue(rattleback.load(support.ROOT / "examples/soft/box_on_ground.xml").name)
        self.assertIn("billiards", rattleback.examples())
        self.assertTrue(rattleback.example("billiards").has_bodies)
        self.assertEqual(rattleback.load("Rattleback.Examples.Motor").simulate(0.01).complete, True)

    def test_values_of_every_type(self):
        m = rattleback.load(text="""model V
          parameter Integer n = 1; parameter Boolean b = false; parameter Real A[:, :] = [1, 2; 3, 4]; parameter String s = "x";
          Real y = n + (if b then 10 else 0) + sum(A); end V;""")
        def y(**o):
            return m.simulate(1, **o)["y"][-1]
        self.assertEqual((y(), y(n=5), y(b=True), y(n=np.int64(2), b=np.bool_(True))), (11, 15, 21, 22))
        self.assertEqual(y(A=np.ones((2, 2))), 5)
        self.assertEqual(y(parameters={"n": 3}), 13)

    def test_a_result_is_a_mapping(self):
        r = rattleback.load(text=support.BALL).simulate(1)
        self.assertEqual(set(r), {"h", "v", "der(h)", "der(v)", "e"})
        self.assertEqual(len(r["h"]), r.rows)
        self.assertEqual((r.variables["h"].unit, r.variables["e"].kind), ("m", "parameter"))
        self.assertTrue(r.complete and r.summary.state_events > 0 and r.summary.steps > 0)
        self.assertEqual(r.find("der.*"), ["der(h)", "der(v)"])
        np.testing.assert_array_equal(r.to_numpy(["h", "v"])[:, 1], r["v"])
        np.testing.assert_array_equal(r.to_numpy(["time"])[:, 0], r.time)
        self.assertAlmostEqual(r.at(0.2, "h")[0], 1 - G * 0.04 / 2, 4)
        self.assertLess(min(abs(r.event_times - math.sqrt(2 / G))), 1e-5)
        with self.assertRaises(ValueError):
            r["h"][0] = 1  # what is cached cannot be changed
        self.assertIn("Ball", r._repr_html_())

    def test_files_of_results(self):
        r = rattleback.load(text=support.BALL).simulate(1)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("r.csv", "r.mat", "r.rbj"):
                path = os.path.join(folder, name)
                r.save(path)
                np.testing.assert_allclose(rattleback.read(path)["h"], r["h"], rtol=1e-12, atol=1e-15)
            with self.assertRaisesRegex(ValueError, "must end in"):
                r.save(os.path.join(folder, "r.xyz"))
        with self.assertRaises(OSError):
            rattleback.read("nowhere.mat")

    def test_the_temporary_file_goes_with_the_result(self):
        r = rattleback.load(text=support.BALL).simulate(1)
        file = r.file
        self.assertTrue(os.path.exists(file))
        del r
        gc.collect()
        self.assertFalse(os.path.exists(file))

    def test_pictures(self):
        r = rattleback.load(text=support.BALL).simulate(1)
        self.assertIn("<svg", r.svg("h", "der(h)"))
        with self.assertRaises(KeyError):
            r.plot("hh")
        try:
            page = r.view("h")
        except rattleback.UsageError as error:  # built without the page
            self.assertIn("page", str(error))
            return
        self.assertIn("<html", page)
        self.assertIn("<iframe srcdoc=", page._repr_html_())

    def test_pandas(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = rattleback.load(text=support.BALL).simulate(1).to_pandas(["h", "v"])
        self.assertEqual(list(frame.columns), ["h", "v"])
        self.assertEqual(frame.index.name, "time")

    def test_matplotlib(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not installed")
        matplotlib.use("Agg")
        ax = rattleback.load(text=support.BALL).simulate(1).plot("h", "v")
        self.assertEqual([line.get_label() for line in ax.lines], ["h [m]", "v [m/s]"])


class Errors(unittest.TestCase):
    def test_place_and_text(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "A.mo")
            with open(path, "w") as out:
                out.write("model A\n  Real x;\nequation\n  der(x) = speed;\nend A;\n")
            with self.assertRaises(rattleback.ModelError) as caught:
                rattleback.load(path)
        error = caught.exception
        self.assertTrue(error.file.endswith("A.mo"))
        self.assertEqual((error.line, error.column), (4, 12))
        self.assertIn("'speed' is unknown", str(error))
        self.assertIn("der(x) = speed;", str(error))  # the line of the source

    def test_kinds(self):
        m = rattleback.load(text=support.BALL)
        with self.assertRaises(ValueError) as caught:
            m.simulate(f=1)
        self.assertIn("'f'", str(caught.exception))
        with self.assertRaises(rattleback.UsageError):
            m.simulate(stop_time=-1)
        with self.assertRaises(rattleback.UsageError):
            m.simulate(solver="magic")
        with self.assertRaises(KeyError) as unknown:
            m.simulate()["hh"]
        self.assertEqual(str(unknown.exception), "there is no variable 'hh'; did you mean 'h'?")
        with self.assertRaises(rattleback.FileError):
            rattleback.load("nowhere/Nothing.mo")
        with self.assertRaises(rattleback.UsageError):
            rattleback.load()
        self.assertEqual(m.simulate()["e"][0], 0.7)  # the model is as it was

    def test_what_was_computed_before_a_failure_is_kept(self):
        m = rattleback.load(text="""model F Real x(start = 0, fixed = true); equation der(x) = 1;
          assert(x < 0.5, "x is too large"); end F;""")
        with self.assertRaises(rattleback.AssertionFailed) as caught:
            m.simulate(1)
        self.assertIn("x is too large", str(caught.exception))
        r = caught.exception.result
        self.assertFalse(r.complete)
        self.assertAlmostEqual(r["x"][-1], 0.5, 3)
        self.assertIs(m.last_result, r)

    def test_warnings(self):
        text = 'model W Real x(start = 1, fixed = true, unit = "m"), y(unit = "s"); equation der(x) = -1; y = x; end W;'
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            m = rattleback.load(text=text)
        self.assertEqual([c.category for c in caught], [rattleback.ModelWarning])
        self.assertEqual(caught[0].filename, __file__)  # of the caller, not of the package
        self.assertEqual(m.messages[0].severity, "warning")


if __name__ == "__main__":
    support.main()
