# SPDX-License-Identifier: MIT
"""Scenes and solids that are built in Python, against closed forms."""

import math
import os
import tempfile
import unittest

import numpy as np
import support
import rattleback
from rattleback import solid

G = 9.81


def drop(height=1.0, **pair):
    scene = rattleback.Scene("drop")
    scene.material("ours", 1000, 1e8, 0.3)
    scene.pair("ours", "ours", **pair)
    plate = scene.box("plate", (1, 1, 0.1), "ours", position=(0, 0, -0.05))
    ball = scene.sphere("ball", 0.1, "ours", position=(0, 0, height + 0.05), free=True)
    scene.record_contact(plate, ball)
    return scene


class Scenes(unittest.TestCase):
    def test_a_ball_falls_and_bounces_as_typed(self):
        m = drop(restitution=0.5, mu_k=0.1).model()
        with m.run(1, tolerance=1e-8) as run:
            self.assertEqual(run.object_names[:2], ["plate", "ball"])
            first = next(run.events())
            self.assertAlmostEqual(first.time, math.sqrt(2 / G), 6)
            before = run.motion("ball").velocity[2]
            while not run.contacts():
                run.step()
            (contact,) = run.contacts()
            self.assertEqual({contact.a, contact.b}, {"plate", "ball"})
            self.assertAlmostEqual(abs(contact.normal[2]), 1)
            while run.contacts():
                run.step()
            self.assertAlmostEqual(run.motion("ball").velocity[2] / -before, 0.5, 2)
            self.assertLess(abs(run.energy.residual), 1e-5)
            mass = 1000 * math.pi / 6 * 0.1**3
            np.testing.assert_allclose(run.momentum.linear[2], mass * run.motion("ball").velocity[2])
        r = m.simulate(0.6)
        self.assertGreater(np.nanmax(r["contact(plate,ball).normal_force"]), 1)

    def test_many_models_of_one_scene(self):
        scene = drop()
        first = scene.model()
        scene.gravity((0, 0, -1))
        with first.run(1) as a, scene.model().run(1) as b, first.run(1) as c:
            for run, g in ((a, G), (b, 1), (c, G)):
                run.step(until=0.3)
                self.assertAlmostEqual(run.motion("ball").velocity[2], -g * 0.3, 5)

    def test_joint_with_motor_and_laws(self):
        scene = rattleback.Scene("crane")
        scene.gravity((0, 0, 0))
        arm = scene.mass("arm", 1, (1, 1, 2, 0, 0, 0), parent=None)
        hinge = scene.revolute("hinge", rattleback.scene.WORLD, arm, start=0.5)
        scene.motor(hinge, input="tau", law=lambda t, phi, w: -8 * phi)
        m = scene.model()
        with m.run(4, tolerance=1e-9) as run:
            self.assertEqual(run.input_names, ["tau"])
            run.step(until=1)
            self.assertAlmostEqual(run["hinge.phi"], 0.5 * math.cos(2), 6)  # phi'' = -4 phi
            run.control(lambda t, x: 8 * x["hinge.phi"])  # takes the spring away
            speed, angle = run["hinge.w"], run["hinge.phi"]
            run.step(until=2)
            self.assertAlmostEqual(run["hinge.phi"], angle + speed, 6)

    def test_a_law_while_states_come_and_go(self):
        """A motor pushes a box that lands on the table: sticking friction adds states while the law goes on."""
        scene = rattleback.Scene("landing")
        arm = scene.mass("arm", 1, (1, 1, 2, 0, 0, 0), parent=None)
        hinge = scene.revolute("hinge", rattleback.scene.WORLD, arm, start=0.5)
        scene.motor(hinge, input="tau")
        scene.halfspace("table", "Steel", position=(5, 0, -1))
        scene.box("box", (0.1, 0.1, 0.1), "Steel", position=(5, 0, -0.94), free=True)
        with scene.model().run(1, tolerance=1e-8) as run:
            before = len(run.states)
            run.control(lambda t, x: -8 * x["hinge.phi"])
            stopped = run.step(until=1)
            self.assertTrue(stopped.new_states and stopped.time == 1)
            self.assertGreater(len(run.states), before)
            self.assertAlmostEqual(run["hinge.phi"], 0.5 * math.cos(2), 5)

    def test_forces(self):
        scene = rattleback.Scene("pushed")
        scene.gravity((0, 0, 0))
        a = scene.sphere("a", 0.1, mass=2, free=True)
        b = scene.sphere("b", 0.1, mass=2, free=True, position=(1, 0, 0), velocity=(0, 3, 0))
        scene.force(a, lambda t: (0, 4 * t, 0))
        scene.force_law(b, lambda t, own, other: -6 * own.velocity)
        with scene.model().run(1, tolerance=1e-9) as run:
            run.step(until=1)
            self.assertAlmostEqual(run.motion("a").velocity[1], 1, 6)  # integral of 4 t/2
            self.assertAlmostEqual(run.motion("b").velocity[1], 3 * math.exp(-3), 6)

    def test_a_force_that_raises_ends_the_run(self):
        scene = rattleback.Scene("wrong")
        a = scene.sphere("a", 0.1, free=True)
        scene.force_law(a, lambda t, own, other: 1 / 0)
        with self.assertRaisesRegex(ZeroDivisionError, "division"):
            scene.model().simulate(1)

    def test_a_normal_force_in_python(self):
        scene = drop(height=0.1, normal_force=lambda press: 1e5 * press.depth, mu_k=0)
        with scene.model().run(1, tolerance=1e-9) as run:
            times = [e.time for e in run.events(until=0.25)]
        mass = 1000 * math.pi / 6 * 0.1**3
        w = math.sqrt(1e5 / mass)
        v = math.sqrt(2 * G * 0.1)
        # m x'' = -k x + m g: touches again after (2 pi - 2 atan(v w/g))/w
        lasts = 2 * (math.pi - math.atan(v * w / G)) / w
        self.assertAlmostEqual(times[1] - times[0], lasts, 6)

    def test_mistakes(self):
        scene = rattleback.Scene()
        with self.assertRaisesRegex(rattleback.Error, "Stel"):
            scene.sphere("a", 0.1, "Stel")
        with self.assertRaisesRegex(rattleback.UsageError, "has no 'paint'"):
            scene.sphere("a", 0.1, paint="red")
        with self.assertRaisesRegex(rattleback.UsageError, "each from 0 to 255"):
            scene.sphere("a", 0.1, colour="red")
        with self.assertRaisesRegex(rattleback.UsageError, "each from 0 to 255"):
            scene.sphere("a", 0.1, colour=(300, 0, 0))
        scene.sphere("painted", 0.1, colour=(200, 30, 30))
        with self.assertRaisesRegex(rattleback.UsageError, "needs 3 numbers"):
            scene.box("a", (1, 2))
        with self.assertRaisesRegex(rattleback.UsageError, "none of"):
            scene.pair("Steel", "Steel", friction="sticky")
        self.assertIn("Steel", scene.materials)

    def test_meshes_touch(self):
        bowl = solid.lathe([(0, 0), (0.2, 0), (0.2, 0.1), (0.15, 0.1), (0.15, 0.02), (0, 0.02)])
        scene = rattleback.Scene("bowl")
        a = scene.frame("bowl")
        b = scene.mass("die", 0.5, (1e-3, 1e-3, 1e-3, 0, 0, 0), parent=None)
        scene.prismatic("slide", rattleback.scene.WORLD, b, start=0.042)
        scene.mesh_contact(a, bowl, b, solid.box(0.04, 0.04, 0.04).moved(-0.02, -0.02, -0.02))
        with scene.model().run(2) as run:
            run.step(until=2)
            self.assertAlmostEqual(run["slide.s"], 0.04, 3)  # it lies on the floor of the bowl at 0.02
            self.assertAlmostEqual(sum(c.force[2] for c in run.contacts()), 0.5 * G, 2)


class Solids(unittest.TestCase):
    def test_volumes(self):
        self.assertAlmostEqual(solid.box(1, 2, 3).volume, 6)
        hole = solid.box(1, 1, 1) - solid.box(0.5, 0.5, 2).moved(0.25, 0.25, -0.5)
        self.assertAlmostEqual(hole.volume, 0.75)
        self.assertAlmostEqual((solid.box(1, 1, 1) + solid.box(1, 1, 1).moved(0.5)).volume, 1.5)
        self.assertAlmostEqual((solid.box(1, 1, 1) & solid.box(1, 1, 1).moved(0.5)).volume, 0.5)
        self.assertAlmostEqual(solid.extrude([(0, 0), (1, 0), (0, 1)], 2).volume, 1)
        frame = solid.extrude([[(0, 0), (2, 0), (2, 2), (0, 2)], [(0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (0.5, 1.5)]], 1)
        self.assertAlmostEqual(frame.volume, 3)
        turned = solid.box(1, 2, 3).turned((0, 0, 1), math.pi / 2)
        np.testing.assert_allclose(turned.properties.centroid, [-1, 0.5, 1.5], atol=1e-12)
        self.assertAlmostEqual(solid.sphere(1, 200).volume, 4 * math.pi / 3, 2)

    def test_mesh_and_files(self):
        vertices, triangles = solid.box(1, 1, 1).mesh
        self.assertEqual((vertices.shape, triangles.shape), ((8, 3), (12, 3)))
        p = vertices[triangles]
        self.assertAlmostEqual(np.einsum("ij,ij->i", p[:, 0], np.cross(p[:, 1], p[:, 2])).sum() / 6, 1)  # faces look outwards
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "box.stl")
            solid.box(1, 1, 1).write(file)
            self.assertAlmostEqual(solid.read(file, 0.1).volume, 1e-3)

    def test_nothing_left_is_an_error(self):
        with self.assertRaises(rattleback.Error):
            solid.box(1, 1, 1) & solid.box(1, 1, 1).moved(5)


if __name__ == "__main__":
    support.main()
