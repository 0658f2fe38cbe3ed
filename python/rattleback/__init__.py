# SPDX-License-Identifier: MIT
"""Rattleback: simulate mechanical and multi-domain systems whose bodies collide and whose structure changes.

    import rattleback

    m = rattleback.load("Ball.mo")              # a Modelica model; Scene builds one in Python
    r = m.simulate(stop_time=3, e=0.8)          # parameters by name
    r["h"]                                      # a numpy array over r.time
    r.plot("h")                                 # curves; r.view() is the page in three dimensions

    with m.run(stop_time=3) as run:             # a run that is stepped by hand
        run.step(until=1)
        run["h"], run.jacobian(), run.save()

The guide is docs/guide/python.md.
"""

from ._version import __version__

try:
    import numpy as _numpy  # noqa: F401
except ImportError:
    raise ImportError("rattleback needs numpy: install python3-numpy (Debian) or numpy (pip)") from None

from . import solid
from .errors import (
    AssertionFailed,
    Error,
    FileError,
    InitializationError,
    InternalError,
    Interrupted,
    Message,
    ModelError,
    ModelWarning,
    NameUnknown,
    OutOfMemory,
    SolverError,
    UsageError,
)
from .experiment import Fit, Optimum, Table, fit, optimize, sweep
from .linear import LinearSystem, Modes, Rest
from .model import Model, example, examples, load
from .result import Page, Picture, Result, Summary, read
from .run import Contact, Energy, Event, Motion, Run, States, Stopped
from .scene import Object, Scene

__all__ = [
    "AssertionFailed", "Contact", "Energy", "Error", "Event", "FileError", "Fit", "InitializationError", "InternalError", "Interrupted",
    "LinearSystem", "Message", "Model", "ModelError", "ModelWarning", "Modes", "Motion", "NameUnknown", "Object", "Optimum", "OutOfMemory", "Page",
    "Picture", "Rest", "Result", "Run", "Scene", "SolverError", "States", "Stopped", "Summary", "Table", "UsageError", "example", "examples", "fit", "load", "optimize", "read", "solid", "sweep",
    "__version__",
]  # fmt: skip
