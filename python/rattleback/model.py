# SPDX-License-Identifier: MIT
"""Models: load, look at, simulate."""

from __future__ import annotations

import ctypes
import os
import threading
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Dict, FrozenSet, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _abi
from ._context import Context, Watch, decode, encode
from ._library import lib
from .errors import Interrupted, Message, UsageError
from .result import PathLike, Result, Summary, _remove, temporary_journal

if TYPE_CHECKING:
    from .experiment import Fit, Optimum, Table
    from .run import Run

Value = Union[float, int, bool, str, Sequence[Any], np.ndarray]
Build = Callable[[Context], ctypes.c_void_p]
Progress = Callable[[_abi.RbProgress], Any]


class Setting(NamedTuple):
    """What can be set before a run: a parameter or an input; or a state with its start value."""

    name: str  #: with its sizes: "A[2, 2]"
    value: str  #: a number or an expression; "": none is given
    unit: str
    description: str
    structural: bool  #: decides how the model is built and cannot be set


class Experiment(NamedTuple):
    """What the model suggests for a run; 0: it suggests nothing."""

    start_time: float  #: [s]
    stop_time: float  #: [s]
    tolerance: float
    interval: float  #: [s]


class Instance:
    """A translated model in a context of its own, which one run uses at a time."""

    def __init__(self, build: Build) -> None:
        self.context = Context()
        self.handle = build(self.context)
        self.messages: List[Message] = self.context.take()

    def override(self, name: str, value: Value) -> None:
        """Set a parameter, an input or a start value."""
        if isinstance(value, (bool, np.bool_)):
            self._set_text(name, "true" if value else "false")
        elif isinstance(value, str):
            self._set_text(name, value)
        elif isinstance(value, (int, np.integer)):
            self._set_text(name, str(int(value)))
        elif np.ndim(value) == 0:
            self._set_text(name, repr(float(value)))  # type: ignore[arg-type]
        else:
            self._set_array(name, np.ascontiguousarray(value, float))

    def _set_text(self, name: str, value: str) -> None:
        self.context.check(lib.rb_model_set_text(self.handle, encode(name), encode(value)))

    def _set_array(self, name: str, value: np.ndarray) -> None:
        dims = (ctypes.c_int * value.ndim)(*value.shape)
        self.context.check(lib.rb_model_set_array(self.handle, encode(name), value.ndim, dims, value.ctypes.data))


class Model:
    """A model: what it consists of, and runs of it.

    Made by :func:`load`, :func:`example` or :meth:`Scene.model`. Several threads may run one model at the same time:
    each run has an instance of its own. Instances are kept and used again for runs that set the same names.

    >>> m = rattleback.load(text="model D parameter Real k = 1; Real x(start=1, fixed=true); equation der(x) = -k*x; end D;")
    >>> m
    <Model D: 1 states, 2 settings>
    >>> round(m.simulate(stop_time=1, k=2)["x"][-1], 4)
    0.1353
    """

    def __init__(self, build: Build) -> None:
        self._build = build
        self._idle: Dict[FrozenSet[str], List[Instance]] = {}
        self._lock = threading.Lock()
        first = Instance(build)
        self.messages: List[Message] = first.messages  #: warnings and notes of the translation
        self.last_result: Optional[Result] = None  #: of the last simulation, also if it failed or was interrupted
        self._describe(first)
        self._give_back(first, frozenset())

    def _describe(self, first: Instance) -> None:
        info = lib.rb_model_info(first.handle)
        self.name = decode(info.name)
        self.description = decode(info.description)
        self.experiment = Experiment(info.start_time, info.stop_time, info.tolerance, info.output_interval)
        self.has_bodies: bool = info.bodies  #: runs have motions, contacts and energies
        self.state_count: int = info.states  #: at the start, of a Modelica model; 0 for others, whose runs have it
        variables, components = ctypes.POINTER(_abi.RbModelVariable)(), ctypes.POINTER(_abi.RbModelComponent)()
        count, parts = ctypes.c_int(), ctypes.c_int()
        first.context.check(lib.rb_model_components(first.handle, components, parts))
        first.context.check(lib.rb_model_variables(first.handle, variables, count))
        self.parameters: Dict[str, Setting] = {}  #: by name
        self.inputs: Dict[str, Setting] = {}  #: by name
        self.states: Dict[str, Setting] = {}  #: of a Modelica model, by name
        groups = (self.parameters, self.inputs, self.states)
        for i in range(count.value):
            v = variables[i]
            name = decode(v.name)
            if v.component >= 0:
                name = f"{decode(components[v.component].name)}.{name}"
            groups[v.kind][name] = Setting(name, decode(v.value), decode(v.unit), decode(v.description), v.structural)

    def __repr__(self) -> str:
        settings = len(self.parameters) + len(self.inputs) + len(self.states)
        return f"<Model {self.name}: {self.state_count} states, {settings} settings>"

    def system(self) -> str:
        """The system of equations at the start in words: states, indicators, dependencies."""
        instance = self._take(frozenset())
        text = ctypes.c_char_p()
        instance.context.check(lib.rb_model_system(instance.handle, text))
        self._give_back(instance, frozenset())
        return decode(text.value)

    # ---- instances

    # What was set in an instance stays there, so it serves runs that set the same names.
    def _take(self, names: FrozenSet[str]) -> Instance:
        with self._lock:
            idle = self._idle.get(names) or self._idle.get(frozenset())
            if idle:
                return idle.pop()
        return Instance(self._build)

    def _give_back(self, instance: Instance, names: FrozenSet[str]) -> None:
        with self._lock:
            self._idle.setdefault(names, []).append(instance)

    def _prepare(self, overrides: Mapping[str, Value]) -> Instance:
        instance = self._take(frozenset(overrides))
        for name, value in overrides.items():
            instance.override(name, value)
        return instance

    # ---- runs

    def simulate(
        self,
        stop_time: Optional[float] = None,
        *,
        start_time: Optional[float] = None,
        tolerance: Optional[float] = None,
        interval: Optional[float] = None,
        solver: Optional[str] = None,
        max_step: Optional[float] = None,
        initial_step: Optional[float] = None,
        threads: int = 1,
        variables: Optional[str] = None,
        progress: Optional[Progress] = None,
        parameters: Optional[Mapping[str, Value]] = None,
        **overrides: Value,
    ) -> Result:
        """Run the model and return its result.

        stop_time, start_time: [s]; tolerance: relative; interval: [s] between rows, 0: only events, start and end.
        Without them the model's own values hold. variables: regular expression for the names that are recorded.
        progress: called about ten times per second with an object that has ``time``, ``stop_time``, ``steps``, ``events``.
        parameters and all other keywords set parameters, inputs and start values for this run:
        ``m.simulate(e=0.8, parameters={"ball.m": 2})``.

        A run that fails raises an :class:`Error` whose ``result`` holds what was computed; Ctrl-C raises
        :class:`Interrupted` with the same.
        """
        overrides = {**(parameters or {}), **overrides}
        watch = Watch(progress)
        settings = dict(
            stop_time=stop_time, start_time=start_time, tolerance=tolerance, output_interval=interval, solver=solver,
            max_step=max_step, initial_step=initial_step, threads=threads, variable_filter=variables,
        )  # fmt: skip
        instance = self._prepare(overrides)
        options = make_options(instance, watch, settings)
        file, options.journal_file = temporary_journal()
        summary = _abi.RbSummary()
        with watch:
            status = lib.rb_simulate(instance.context.handle, instance.handle, options, summary)
        result = take_result(file, summary)
        self.last_result = result
        if status:
            raise failure(instance.context, status, watch, result)
        if result is None:
            raise UsageError("the run has recorded nothing")
        result.messages = instance.context.take()
        self._give_back(instance, frozenset(overrides))
        return result

    def run(
        self,
        stop_time: Optional[float] = None,
        *,
        start_time: Optional[float] = None,
        tolerance: Optional[float] = None,
        interval: Optional[float] = None,
        solver: Optional[str] = None,
        max_step: Optional[float] = None,
        initial_step: Optional[float] = None,
        threads: int = 1,
        record: bool = False,
        variables: Optional[str] = None,
        progress: Optional[Progress] = None,
        parameters: Optional[Mapping[str, Value]] = None,
        **overrides: Value,
    ) -> "Run":
        """Open a run that is stepped by hand, for ``with``; arguments as of :meth:`simulate`.

        record: keep a result, which ``run.result`` is after the run was closed.
        stop_time: the run cannot go beyond; without it, and without one of the model, there is no end.
        """
        from .run import Run

        settings = dict(
            stop_time=stop_time, start_time=start_time, tolerance=tolerance, output_interval=interval, solver=solver,
            max_step=max_step, initial_step=initial_step, threads=threads, variable_filter=variables,
        )  # fmt: skip
        return Run(self, settings, {**(parameters or {}), **overrides}, record, progress)

    # ---- experiments

    def sweep(self, *arguments: Any, **options: Any) -> "Table":
        """Many runs: :func:`rattleback.sweep`."""
        from .experiment import sweep

        return sweep(self, *arguments, **options)

    def fit(self, *arguments: Any, **options: Any) -> "Fit":
        """Parameters from measurements: :func:`rattleback.fit`."""
        from .experiment import fit

        return fit(self, *arguments, **options)

    def optimize(self, *arguments: Any, **options: Any) -> "Optimum":
        """Parameters for which a number from the result is least: :func:`rattleback.optimize`."""
        from .experiment import optimize

        return optimize(self, *arguments, **options)


def make_options(instance: Instance, watch: Watch, settings: Mapping[str, Any]) -> _abi.RbSimOptions:
    """The model's options with what is set; the texts in them live as long as the structure."""
    options = lib.rb_model_options(instance.handle)
    for name, value in settings.items():
        if value is not None:
            setattr(options, name, encode(value) if isinstance(value, (str, os.PathLike)) else value)
    options.interrupt = ctypes.pointer(watch.flag)
    options.progress = watch.progress_c
    return options


def take_result(file: str, summary: _abi.RbSummary) -> Optional[Result]:
    """The result in a temporary journal; None if there are no rows."""
    if summary.rows == 0:
        _remove(file)
        return None
    result = Result(file, _owned=True)
    result.summary = Summary._of(summary)
    return result


def failure(context: Context, status: int, watch: Watch, result: Optional[Result]) -> BaseException:
    """What to raise after a run that has failed: what a callback raised, the interrupt, or the error."""
    raised = watch.take_raised()
    if raised is not None:
        context.news()
        return raised
    error = context.error(status)
    if status == _abi.RbStatus.INTERRUPTED:
        where = f" at t = {result.time[-1]:g} s; the result up to there is in .result of this exception" if result else ""
        return Interrupted(f"interrupted{where}", result)
    error.result = result
    return error


# ---- loading ------------------------------------------------------------------------------------


def _is_file(name: str) -> bool:
    return name.endswith((".mo", ".fmu", ".xml", os.sep)) or os.path.exists(name)


def load(
    file: Optional[PathLike] = None,
    class_name: Optional[str] = None,
    *,
    text: Optional[str] = None,
    libraries: Sequence[PathLike] = (),
    input_file: Optional[PathLike] = None,
    optimize: Optional[bool] = False,
    multibody_engine: bool = False,
    strict_units: bool = False,
    no_external: bool = False,
) -> Model:
    """Load a model.

    file: a Modelica file or package folder, a scene of soft bodies (.xml), or the full name of a class of a library, as
    "Rattleback.Examples.Motor". text: Modelica text instead of a file. class_name: the class of the file (default: the last one).
    libraries: folders with packages, searched before MODELICAPATH. input_file: signals for the inputs (.csv, .mat).
    optimize: compile the equations by the system's compiler: True before the run, None during runs longer than a second.
    multibody_engine: run Modelica.Mechanics.MultiBody by the engine. no_external: refuse external "C".

    >>> rattleback.load("Rattleback.Examples.Motor").name
    'Rattleback.Examples.Motor'
    """
    if (file is None) == (text is None):
        raise UsageError("load() needs a file or a text, and not both")
    name = None if file is None else os.fspath(file)
    if name is not None and name.endswith(".xml"):
        return Model(partial(open_named, function=lib.rb_soft_open, name=name))
    if name is not None and not _is_file(name):
        name, class_name = None, name
    options = {"input_file": input_file, "text": text, "file": name, "class_name": class_name}
    modes = {True: _abi.RbOptimize.OPTIMIZE_ALWAYS, False: _abi.RbOptimize.OPTIMIZE_NEVER, None: _abi.RbOptimize.OPTIMIZE_AUTO}
    flags = dict(multibody_engine=multibody_engine, strict_units=strict_units, no_external=no_external, optimize=modes[optimize])

    def build(context: Context) -> ctypes.c_void_p:
        source = lib.rb_modelica_default()
        for key, value in options.items():
            setattr(source, key, encode(value) if value is not None else None)
        for key, flag in flags.items():
            setattr(source, key, flag)
        if libraries:
            source.libraries = (ctypes.c_char_p * (len(libraries) + 1))(*map(encode, libraries), None)
        handle = ctypes.c_void_p()
        context.check(lib.rb_modelica_translate(context.handle, source, handle))
        return handle

    return Model(build)


def open_named(context: Context, function: Any, name: str) -> ctypes.c_void_p:
    """What a function of the library opens by a name."""
    handle = ctypes.c_void_p()
    context.check(function(context.handle, encode(name), handle))
    return handle


def _listed(function: Any) -> Dict[str, str]:
    found: Dict[str, str] = {}
    name, text = ctypes.c_char_p(), ctypes.c_char_p()
    index = 0
    while function(index, name, text):
        found[decode(name.value)] = decode(text.value)
        index += 1
    return found


def examples() -> Dict[str, str]:
    """Names and descriptions of the models and scenes that are built in."""
    return {**_listed(lib.rb_scene_example), **_listed(lib.rb_example)}


def example(name: str) -> Model:
    """A model or scene that is built in.

    >>> rattleback.example("bouncing-ball").parameters["ball.e"].value
    '0.7'
    """
    if name not in _listed(lib.rb_scene_example):
        return Model(partial(open_named, function=lib.rb_example_open, name=name))

    def build(context: Context) -> ctypes.c_void_p:
        handle = ctypes.c_void_p()
        builder = open_named(context, lib.rb_builder_open, name)
        context.check(lib.rb_builder_finish(builder, handle))
        return handle

    return Model(build)
