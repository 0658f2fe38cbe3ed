# SPDX-License-Identifier: MIT
"""Restitution and friction of a rubber ball on a table from the recorded places of its centre (bounce.csv: time, x, z)."""
import pathlib

import numpy as np
import rattleback
from scipy.optimize import least_squares

RECORD = pathlib.Path(__file__).parent / "bounce.csv"


def simulate(restitution, friction, times):
    """Places x, z [m] of the centre of the ball at the times: thrown from 0.5 m with 6 m/s."""
    scene = rattleback.Scene("bounce")
    scene.material("table", 2700, 7e10, 0.3)
    scene.material("ball", 1100, 1e9, 0.45)
    scene.pair("table", "ball", restitution=restitution, mu_k=friction, friction="sliding")
    scene.halfspace("table", "table")
    scene.sphere("rubber", 0.04, "ball", position=(0, 0, 0.5), velocity=(6, 0, 0), free=True)
    result = scene.model().simulate(times[-1], interval=0.005, tolerance=1e-8)
    return np.array([np.interp(times, result.time, result[f"rubber.r[{i}]"]) for i in (1, 3)])


def fit(record=RECORD):
    """Restitution and friction with their standard deviations."""
    time, *places = np.loadtxt(record, delimiter=",", skiprows=1, unpack=True)
    found = least_squares(
        lambda p: (simulate(*p, time) - places).ravel(), [0.5, 0.3], bounds=([0.05, 0], [0.95, 1]), diff_step=1e-4, x_scale=[0.1, 0.1]
    )
    noise = 2 * found.cost / (found.fun.size - 2)
    return found.x, np.sqrt(noise * np.diag(np.linalg.inv(found.jac.T @ found.jac)))


if __name__ == "__main__":
    value, deviation = fit()
    print(f"restitution {value[0]:.4f} +- {deviation[0]:.4f}, friction {value[1]:.4f} +- {deviation[1]:.4f}")
