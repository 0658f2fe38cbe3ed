# SPDX-License-Identifier: MIT
"""A motor that is too weak to lift a pendulum swings it up: it adds energy until the pendulum is near the top, then holds it."""
import math

import rattleback

PENDULUM = """
model Pendulum "A rod of 1 m with 1 kg at its end; phi = 0 hangs down"
  parameter Real m(unit = "kg") = 1, L(unit = "m") = 1, g(unit = "m/s2") = 9.81, d(unit = "N.m.s/rad") = 0.05;
  input Real tau(start = 0, unit = "N.m") "torque of the motor";
  Real phi(start = 0.01, fixed = true, unit = "rad"), w(start = 0, fixed = true, unit = "rad/s");
equation
  der(phi) = w;
  m*L^2*der(w) = -m*g*L*sin(phi) - d*w + tau;
end Pendulum;
"""


def controller(phi, w, limit=2.0):
    """Torque [N.m] from angle and speed; gravity pulls with up to 9.81 N.m."""
    off = math.remainder(phi - math.pi, 2 * math.pi)  # [rad] from the top
    if abs(off) < 0.15 and abs(w) < 1.5:
        tau = -40 * off - 10 * w  # hold it there
    else:
        missing = 9.81 * (1 - math.cos(off)) - w * w / 2  # [J] energy up to the top
        tau = 5 * missing * (w if w else 1)
    return max(-limit, min(limit, tau))


def swing_up(stop_time=20.0, rate=1000):
    """The angle [rad] from the top at the end, and the recorded result."""
    model = rattleback.load(text=PENDULUM)
    with model.run(stop_time, record=True, interval=0.02) as run:
        for k in range(int(stop_time * rate)):
            phi, w = run.get(("phi", "w"))
            run["tau"] = controller(phi, w)
            run.step(until=(k + 1) / rate)
        off = math.remainder(run["phi"] - math.pi, 2 * math.pi)
    return off, run.result


if __name__ == "__main__":
    off, result = swing_up()
    up = result.time[abs(result["w"]) > 1][-1]
    print(f"upright after {up:.1f} s with at most {abs(result['tau']).max():g} N.m; {abs(off):.0e} rad from the top at the end")
