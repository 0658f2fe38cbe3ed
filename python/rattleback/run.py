# SPDX-License-Identifier: MIT
"""A run that one holds: step it, look inside, set values, save and restore it."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi
from ._context import Watch, decode, encode, unknown
from ._library import lib
from .errors import UsageError
from .linear import LinearSystem, Rest
from .model import Instance, Model, Progress, Value, failure, make_options, take_result
from .result import Result, Summary, _remove, temporary_journal

_NO_LAW = ctypes.cast(0, _abi.InputFunction)
_step, _get, _set = lib.rb_run_step, lib.rb_run_get, lib.rb_run_set

Names = Union[str, Sequence[str]]


class Stopped(NamedTuple):
    """Where a step has ended."""

    time: float  #: [s]
    event: bool  #: an event was dealt with there
    new_states: bool  #: states have come or gone
    finished: bool  #: the stop time was reached, or the model has ended the run


_stopped = Stopped._make


class Event(NamedTuple):
    """Something that has happened and that the model has reacted to."""

    time: float  #: [s]
    state_event: bool  #: an event indicator has crossed zero
    time_event: bool  #: a time that was known in advance has come
    indicator: str  #: name of the first indicator that crossed zero; "": none
    new_states: bool  #: states have come or gone


class Variable(NamedTuple):
    """A variable of a run."""

    name: str
    unit: str
    description: str
    kind: str  #: "state", "derivative", "quadrature", "discrete", "result", "input" or "parameter"
    there: bool  #: it exists in the present segment


class Motion(NamedTuple):
    """How an object moves, in the world."""

    position: np.ndarray  #: [m]
    rotation: np.ndarray  #: w, x, y, z: from its axes to those of the world
    velocity: np.ndarray  #: [m/s] of its origin
    angular_velocity: np.ndarray  #: [rad/s]


class Contact(NamedTuple):
    """A contact of two objects."""

    a: str
    b: str
    point: np.ndarray  #: [m] where the force acts
    normal: np.ndarray  #: along which it presses, from a to b
    depth: float  #: [m]
    depth_rate: float  #: [m/s]
    slip: np.ndarray  #: [m/s] of b on a
    normal_force: float  #: [N]
    friction: np.ndarray  #: [N] on b
    force: np.ndarray  #: [N] all of it, on b
    torque: np.ndarray  #: [N.m] on b about the point


class Energy(NamedTuple):
    """The energy account [J]."""

    kinetic: float
    potential: float  #: in gravity and springs
    elastic: float  #: in contacts
    residual: float  #: error of the balance since the start


class Momentum(NamedTuple):
    """Momentum of all bodies and particles."""

    linear: np.ndarray  #: [kg.m/s]
    angular: np.ndarray  #: [kg.m2/s] about the origin of the world


class States:
    """The states in a control law: ``x["phi"]``, or all as an array: ``x.values``."""

    __slots__ = ("values", "numbers", "address")

    def __init__(self, values: np.ndarray, numbers: Dict[str, int]) -> None:
        self.values = values
        self.numbers = numbers  #: place of each state in ``values``
        self.address = 0

    def __getitem__(self, name: str) -> float:
        number = self.numbers.get(name)
        if number is None:
            raise unknown("state", name, list(self.numbers))
        return float(self.values[number])


ControlLaw = Callable[[float, States], Union[float, Sequence[float], Mapping[str, float], np.ndarray]]


class _Group:
    """Variables that are read or set together: their numbers and a buffer."""

    __slots__ = ("numbers", "buffer", "values", "count", "places", "address")

    def __init__(self, numbers: Sequence[int]) -> None:
        self.count = len(numbers)
        self.numbers = (ctypes.c_int * self.count)(*numbers)
        self.buffer: Any = (ctypes.c_double * self.count)()
        self.values = np.frombuffer(self.buffer) if self.count else np.empty(0)
        self.places, self.address = ctypes.addressof(self.numbers), ctypes.addressof(self.buffer)


def _vector(values: Any, count: int, what: str) -> Any:
    array = np.asarray(values, float).ravel()
    if array.size != count:
        raise UsageError(f"{what} needs {count} numbers, not {array.size}")
    return (ctypes.c_double * max(count, 1))(*array)


class Run:
    """A run that stands at a time and goes on when it is stepped. Made by :meth:`Model.run`, for ``with``.

    Reading leaves no trace. Setting is an event: the solver starts anew at the next step. One thread uses a run at a time.

    >>> m = rattleback.load(text="model I input Real u(start=0); Real x(start=0, fixed=true); equation der(x) = u; end I;")
    >>> with m.run(stop_time=2) as run:
    ...     run["u"] = 3
    ...     stopped = run.step(until=1)
    ...     run.time, round(run["x"], 6), stopped.finished
    (1.0, 3.0, False)
    """

    def __init__(
        self, model: Model, settings: Mapping[str, Any], overrides: Mapping[str, Value], record: bool, progress: Optional[Progress]
    ) -> None:
        self.model = model
        self.result: Optional[Result] = None  #: after close() of a run that records
        self._overrides = frozenset(overrides)
        self._watch = Watch(progress)
        self._instance: Instance = model._prepare(overrides)
        self._context = self._instance.context
        self._options = make_options(self._instance, self._watch, settings)
        self._news: List[Tuple[float, bool, bool, str]] = []
        self._options.event = _event_noter(self._news)
        self._file: Optional[str] = None
        if record:
            self._file, self._options.journal_file = temporary_journal()
            self._remove_file = weakref.finalize(self, _remove, self._file)
        # These hold no reference to the run: a context that is freed closes its runs, and they may be called then.
        self._context.keep.append((self._watch, self._options))
        self._groups: Dict[Any, _Group] = {}
        self._names: Dict[int, str] = {}
        self._objects: Dict[int, str] = {}
        self._law: Optional[ControlLaw] = None
        self._saved = ctypes.c_void_p()
        self._stopped = _abi.RbStopped()
        self._stopped_address = ctypes.addressof(self._stopped)
        handle = ctypes.c_void_p()
        with self._watch:
            status = lib.rb_run_open(self._context.handle, self._instance.handle, self._options, handle)
        if status:
            raise failure(self._context, status, self._watch, None)
        self._context.check(0)
        self._handle: Any = handle.value

    # ---- life

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """End the run where it stands; ``result`` and ``summary`` stay. Closing twice is allowed."""
        if self._handle is None:
            return
        summary = _abi.RbSummary()
        with self._watch:
            status = lib.rb_run_close(self._handle, summary)
        self._handle = None
        self._summary = Summary._of(summary)
        self._context.warn()
        self._context.keep.clear()
        if self._file:
            self._remove_file.detach()
            self.result = take_result(self._file, summary)
        if not status:
            self.model._give_back(self._instance, self._overrides)

    @property
    def closed(self) -> bool:
        """Whether the run was closed."""
        return self._handle is None

    @property
    def _open(self) -> Any:
        if self._handle is None:
            raise UsageError("the run is closed")
        return self._handle

    def _call(self, function: Any, *arguments: Any) -> None:
        """A call that looks or changes, which may evaluate a control law."""
        with self._watch:
            status = function(self._handle or self._open, *arguments)
        if status or self._watch.raised is not None:
            self._fail(status)

    def _move(self, function: Any, group: "_Group") -> None:
        """Read or set a group: :meth:`_call` for loops, without a handler for Ctrl-C."""
        lock = self._watch.lock
        if not lock.acquire(False):
            raise self._watch.busy()
        try:
            status = function(self._handle or self._open, group.places, group.count, group.address)
        finally:
            lock.release()
        if status or self._watch.raised is not None:
            self._fail(status)

    def _fail(self, status: int) -> None:
        raised = self._watch.take_raised()
        if raised is not None:
            self._context.news()
            raise raised
        if status:
            raise failure(self._context, status, self._watch, None)

    def __repr__(self) -> str:
        if self._handle is None:
            return f"<Run of {self.model.name}: closed>"
        return f"<Run of {self.model.name} at {self.time:g} s>"

    # ---- stepping

    @property
    def time(self) -> float:
        """[s] where the run stands."""
        return lib.rb_run_time(self._open)

    @property
    def finished(self) -> bool:
        """The stop time was reached, or the model has ended the run."""
        return lib.rb_run_finished(self._open)

    @property
    def summary(self) -> Summary:
        """What the run has cost so far."""
        if self._handle is None:
            return self._summary
        summary = _abi.RbSummary()
        self._call(lib.rb_run_summary, summary)
        return Summary._of(summary)

    def _advance(self, kind: int, until: float) -> Stopped:
        if self._law and kind == 0:
            return self._advance_with_law(until)
        watch, s = self._watch, self._stopped
        with watch:
            status = _step(self._handle or self._open, kind, until, self._stopped_address)
        if status or watch.raised is not None:
            self._fail(status)
        event, finished = s.event, s.finished
        if event or finished:
            self._context.warn()
        return _stopped((s.time, event, s.new_states, finished))

    def step(self, until: Optional[float] = None, *, by: Optional[float] = None) -> Stopped:
        """Go on to a time [s], or by a time [s]; without either one step of the solver.

        Ctrl-C raises :class:`Interrupted`; the run can go on after it.
        """
        if until is not None:
            return self._advance(0, until)
        if by is not None:
            return self._advance(0, self.time + by)
        return self._advance(1, float("inf"))

    def events(self, until: float = float("inf")) -> Iterator[Event]:
        """Go on from event to event, at most to a time [s] (default: the stop time). Between events the run can be read and set.

        >>> with rattleback.example("bouncing-ball").run() as run:
        ...     [round(event.time, 3) for event in run.events(until=1.2)]
        [0.452, 1.084]
        """
        while not self.finished and self.time < until:
            self._news.clear()
            stopped = self._advance(2, until)
            if stopped.event:
                first = self._news[0] if self._news else (stopped.time, False, False, "")
                yield Event(*first, stopped.new_states)

    def interrupt(self) -> None:
        """End the step that another thread makes: it raises :class:`Interrupted` there."""
        self._watch.flag.value = 1

    # ---- variables

    def _group(self, names: Names) -> _Group:
        key = tuple(names) if isinstance(names, list) else names
        group = self._groups.get(key)
        if group is None:
            wanted = (key,) if isinstance(key, str) else key
            group = self._groups[key] = _Group([self._find(name) for name in wanted])
        return group

    def _find(self, name: str) -> int:
        number = lib.rb_run_find(self._open, encode(name))
        if number < 0:
            raise unknown("variable", name, [v.name for v in self.variables])
        return number

    @property
    def variables(self) -> List[Variable]:
        """All variables."""
        return [self._variable(i) for i in range(lib.rb_run_count(self._open))]

    def _variable(self, number: int) -> Variable:
        v = _abi.RbRunVariable()
        self._call(lib.rb_run_variable, number, v)
        kind = _abi.RbRunKind(v.kind).name[len("RUN_") :].lower()
        return Variable(decode(v.name), decode(v.unit), decode(v.description), kind, v.there)

    def get(self, names: Sequence[str]) -> np.ndarray:
        """Values of several variables now: a new array. NaN: the variable does not exist in this segment."""
        group = self._group(names)
        self._move(_get, group)
        return group.values.copy()

    def set(self, names: Sequence[str], values: Any) -> None:
        """Set several states, inputs, parameters or discrete values: all, or after an error none."""
        group = self._group(names)
        if type(values) is tuple and len(values) == group.count:
            group.buffer[:] = values
        else:
            group.values[:] = values
        self._move(_set, group)

    def __getitem__(self, name: str) -> float:
        group = self._groups.get(name) or self._group(name)
        self._move(_get, group)
        return group.buffer[0]

    def __setitem__(self, name: str, value: float) -> None:
        group = self._groups.get(name) or self._group(name)
        group.buffer[0] = value
        self._move(_set, group)

    def __contains__(self, name: str) -> bool:
        return lib.rb_run_find(self._open, encode(name)) >= 0

    def set_tolerance(self, tolerance: float) -> None:
        """Another tolerance from now on: an event."""
        self._call(lib.rb_run_set_tolerance, tolerance)

    # ---- the system of equations

    @property
    def _sizes(self) -> _abi.RbRunSizes:
        return lib.rb_run_sizes(self._open)

    @property
    def state_names(self) -> List[str]:
        """Names of the states in the order of ``states``."""
        return [self._variable(lib.rb_run_state(self._open, i)).name for i in range(self._sizes.states)]

    @property
    def input_names(self) -> List[str]:
        """Names of the inputs in the order of a control law."""
        return [self._variable(lib.rb_run_input(self._open, i)).name for i in range(self._sizes.inputs)]

    @property
    def states(self) -> np.ndarray:
        """All states; assigning an array sets them."""
        values = np.empty(self._sizes.states)
        self._call(lib.rb_run_states, values.ctypes.data)
        return values

    @states.setter
    def states(self, values: Any) -> None:
        self._call(lib.rb_run_set_states, _vector(values, self._sizes.states, "states"))

    def derivatives(self, x: Optional[Any] = None) -> np.ndarray:
        """der(x) now, at the present states or at others."""
        n = self._sizes.states
        values = np.empty(n)
        self._call(lib.rb_run_derivatives, None if x is None else _vector(x, n, "x"), values.ctypes.data)
        return values

    def indicators(self, x: Optional[Any] = None) -> Dict[str, float]:
        """Event indicators by name now, at the present states or at others."""
        count = self._sizes.indicators
        values = np.empty(count)
        self._call(lib.rb_run_indicators, None if x is None else _vector(x, self._sizes.states, "x"), values.ctypes.data)
        return {decode(lib.rb_run_indicator_name(self._open, i)): float(values[i]) for i in range(count)}

    def jacobian(self) -> np.ndarray:
        """Matrix d(der(x))/dx at the present states: element i, j is the derivative of der(x[i]) by x[j].

        >>> m = rattleback.load(text='''model O Real x(start=1, fixed=true), v(start=0, fixed=true);
        ...   equation der(x) = v; der(v) = -4*x; end O;''')
        >>> with m.run(stop_time=1) as run:
        ...     run.jacobian().round(6).tolist()
        [[0.0, 1.0], [-4.0, 0.0]]
        """
        n = self._sizes.states
        values = np.empty((n, n))
        self._call(lib.rb_run_jacobian, values.ctypes.data)
        return values.T

    def linearize(self, inputs: Optional[Sequence[str]] = None, outputs: Sequence[str] = ()) -> LinearSystem:
        """The run near the point where it stands as a linear system from inputs (default: all) to outputs. Leaves no trace.

        >>> m = rattleback.load(text="model L input Real u(start=0); Real x(start=0, fixed=true); equation der(x) = -2*x + 3*u; end L;")
        >>> with m.run(stop_time=1) as run:
        ...     system = run.linearize(outputs=["x"])
        >>> system.A.tolist(), system.B.tolist(), system.modes().values.tolist()
        ([[-2.0]], [[3.0]], [(-2+0j)])
        """
        names = self.input_names if inputs is None else list(inputs)
        groups = [_Group([self._find(name) for name in group]) for group in (names, outputs)]
        system = LinearSystem(self._context, self.state_names, names, list(outputs))
        self._call(lib.rb_run_linearize, system._view(groups[0].places, groups[1].places))
        return system

    def find_rest(self, tolerance: float = 0) -> Rest:
        """Move the states to a near point where nothing changes at the present time and inputs: an event. After an error the run stands
        where it stood. tolerance: how far the last step may move a state relative to its size; 0: 1e-10."""
        found = _abi.RbRestFound()
        self._call(lib.rb_run_find_rest, tolerance, found)
        return Rest(found.iterations, found.rate)

    # ---- control

    def control(self, law: Optional[ControlLaw]) -> None:
        """Compute the inputs by a function from now on; None: the values from before, again.

        law(time, x) is called at every evaluation between events and returns all inputs in the order of ``input_names``
        (a number if there is one), or a dictionary of some; the others keep their values from before. ``x["phi"]`` is a state. Same time and states,
        same inputs: the solver evaluates it at trial states too. What it raises ends the step and is raised there.
        """
        if self._law is None:
            self._inputs_before = self.get(self.input_names)
        elif law is None:
            self._call(lib.rb_run_set_input_function, _NO_LAW, None)
            self.set(self.input_names, self._inputs_before)
        self._law = law
        if law is None:
            return
        caller = self._caller(law)
        self._context.keep.append(caller)
        self._call(lib.rb_run_set_input_function, caller, None)

    def _caller(self, law: ControlLaw) -> Any:
        inputs = {name: i for i, name in enumerate(self.input_names)}
        if not inputs:
            raise UsageError(f"model '{self.model.name}' has no inputs for a control law to set")
        x = self._law_states = States(np.empty(0), {})
        self._number_states()
        before, u = self._inputs_before, np.empty(len(inputs))
        address, size, move, protect = u.ctypes.data, u.nbytes, ctypes.memmove, self._watch.protect

        def evaluate(time: float, states: int, out: int) -> None:
            move(x.address, states, x.values.nbytes)
            values = law(time, x)
            if isinstance(values, Mapping):
                u[:] = before
                for name, value in values.items():
                    if name not in inputs:
                        raise unknown("input", name, list(inputs))
                    u[inputs[name]] = value
            else:
                u[:] = values
            move(out, address, size)

        return _abi.InputFunction(lambda _user, time, states, out: protect(evaluate, time, states, out))

    def _number_states(self) -> None:
        """Number the states of the law; those that were there before keep their numbers."""
        x = self._law_states
        numbers = {name: i for i, name in enumerate(self.state_names)}
        moved = [name for name, i in x.numbers.items() if numbers.get(name, i) != i]
        if moved:
            raise UsageError(f"state '{moved[0]}' has changed its place: set the inputs between steps instead of by a control law")
        x.numbers, x.values = numbers, np.empty(len(numbers))
        x.address = x.values.ctypes.data

    def _advance_with_law(self, until: float) -> Stopped:
        """Events end the steps, so that the law sees states that come and go."""
        event = new_states = False
        while True:
            stopped = self._advance(2, until)
            event, new_states = stopped.event, new_states or stopped.new_states
            if stopped.new_states:
                self._number_states()
            if not stopped.event or stopped.finished or stopped.time >= until:
                return stopped._replace(event=event, new_states=new_states)

    # ---- saving

    def save(self) -> bytes:
        """Everything that the run needs to go on from here, as bytes for :meth:`restore`, of this run or of another one of the
        same model with the same options."""
        size = ctypes.c_size_t()
        self._call(lib.rb_run_save, ctypes.byref(self._saved))
        address = lib.rb_saved_bytes(self._saved, size)
        return ctypes.string_at(address, size.value)

    def restore(self, saved: bytes) -> None:
        """Stand where :meth:`save` was called, with its values, parameters and inputs. Control laws stay as they are."""
        self._call(lib.rb_run_restore_bytes, saved, len(saved))

    # ---- bodies

    def _object(self, name: str) -> int:
        number = 0 if name == "world" else lib.rb_run_object(self._open, encode(name))
        if number < 0:
            raise unknown("object", name, self.object_names)
        return number

    def _object_name(self, number: int) -> str:
        if number not in self._objects:
            self._objects[number] = decode(lib.rb_run_object_name(self._open, number))
        return self._objects[number]

    @property
    def object_names(self) -> List[str]:
        """Names of all objects; empty: the model has no bodies."""
        found: List[str] = []
        while True:
            name = lib.rb_run_object_name(self._open, len(found) + 1)
            if name is None:
                return found
            found.append(decode(name))

    def motion(self, name: str) -> Motion:
        """How an object moves now."""
        m = _abi.RbObjectMotion()
        self._call(lib.rb_run_motion, self._object(name), m)
        return Motion(*(np.array(getattr(m, field)) for field in Motion._fields))

    def contacts(self) -> List[Contact]:
        """All contacts that exist now."""
        found, count = ctypes.POINTER(_abi.RbRunContact)(), ctypes.c_int()
        self._call(lib.rb_run_contacts, found, count)
        copies = [_copy(found[i]) for i in range(count.value)]
        return [self._contact(c) for c in copies]

    def _contact(self, c: _abi.RbRunContact) -> Contact:
        names = (self._object_name(c.a), self._object_name(c.b))
        rest: Any = (getattr(c, field) for field in Contact._fields[2:])
        return Contact._make([*names, *(v if isinstance(v, float) else np.array(v) for v in rest)])

    @property
    def energy(self) -> Energy:
        """The energy account now."""
        e = _abi.RbRunEnergy()
        self._call(lib.rb_run_energy, e)
        return Energy(e.kinetic, e.potential, e.elastic, e.residual)

    @property
    def momentum(self) -> Momentum:
        """Momentum now."""
        linear, angular = np.empty(3), np.empty(3)
        self._call(lib.rb_run_momentum, linear.ctypes.data, angular.ctypes.data)
        return Momentum(linear, angular)

    def pull(self, name: Optional[str], target: Any = (0, 0, 0), *, point: Any = (0, 0, 0), stiffness: float = 0, damping: float = 0) -> None:
        """Pull at a point [m] of an object (in its frame) towards a place in the world, by a spring [N/m] and a damper
        [N.s/m], from now on. One pull at a time; None lets go."""
        number = 0 if name is None else self._object(name)
        self._call(lib.rb_run_pull, number, _vector(point, 3, "point"), _vector(target, 3, "target"), stiffness, damping)


def _event_noter(news: List[Tuple[float, bool, bool, str]]) -> Any:
    def note(_user: Any, pointer: Any) -> None:
        if not news:
            n = pointer.contents
            news.append((n.time, n.state_event, n.time_event, decode(n.indicator)))

    return _abi.EventFunction(note)


def _copy(c: _abi.RbRunContact) -> _abi.RbRunContact:
    return _abi.RbRunContact.from_buffer_copy(c)
