# SPDX-License-Identifier: MIT
"""What the tests share: where things are; exit code 77 (skipped) where numpy is not installed."""

import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

try:
    import numpy  # noqa: F401
except ImportError:
    print("skipped: numpy is not installed (python3-numpy)", file=sys.stderr)
    sys.exit(77)

if "RB_INSTALLED" not in os.environ:
    sys.path.insert(0, str(ROOT / "python"))

BALL = """model Ball "A ball bounces"
  parameter Real e = 0.7 "coefficient of restitution";
  Real h(start = 1, fixed = true, unit = "m") "height";
  Real v(start = 0, fixed = true, unit = "m/s") "speed";
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
  annotation(experiment(StopTime = 1.2));
end Ball;
"""

PENDULUM = """model Pendulum
  parameter Real g = 9.81, L = 1;
  input Real tau(start = 0);
  Real phi(start = 0, fixed = true, unit = "rad"), w(start = 0, fixed = true);
equation
  der(phi) = w;
  der(w) = -g/L*sin(phi) + tau;
end Pendulum;
"""


def main() -> None:
    unittest.main()
