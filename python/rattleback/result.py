# SPDX-License-Identifier: MIT
"""Results of runs: arrays over time, curves, pages, files."""

from __future__ import annotations

import ctypes
import html
import os
import re
import tempfile
import weakref
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi
from ._context import Context, decode, encode, unknown
from ._library import lib
from .errors import FileError, Message

if TYPE_CHECKING:
    import pandas

PathLike = Union[str, "os.PathLike[str]"]


class Summary(NamedTuple):
    """What a run has cost."""

    time: float  #: [s] reached
    complete: bool  #: the stop time was reached, or the model ended the run
    steps: int
    evaluations: int
    jacobians: int
    state_events: int
    time_events: int
    restarts: int
    segments: int
    solver: str
    states: int
    rows: int
    wall_time: float  #: [s]
    cpu_time: float  #: [s]
    state_hash: int  #: of all that is known at the end: same input, same hash

    @classmethod
    def _of(cls, c: _abi.RbSummary) -> "Summary":
        return cls(*(decode(v) if isinstance(v, bytes) or v is None else v for v in (getattr(c, f) for f in cls._fields)))


class Segment(NamedTuple):
    """A part of a run between two changes of structure."""

    time: float  #: [s] at which it begins
    cause: str
    states: int


class Series(NamedTuple):
    """A variable of a result."""

    name: str
    unit: str
    description: str
    kind: str  #: "continuous", "discrete" or "parameter"


class Page(str):
    """An HTML page. A notebook shows it in a frame; ``save`` writes it to a file."""

    height = 560  #: [px] of the frame in a notebook

    def save(self, file: PathLike) -> None:
        """Write the page; it needs nothing else."""
        with open(file, "w", encoding="utf-8") as out:
            out.write(self)

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self)}" style="width: 100%; height: {self.height}px; border: 0"></iframe>'

    def __repr__(self) -> str:
        return f"<Page of {len(self)} characters; save(file) writes it>"


class Picture(str):
    """Curves as SVG: what ``plot`` returns where matplotlib is not installed."""

    def save(self, file: PathLike) -> None:
        """Write the picture (.svg)."""
        with open(file, "w", encoding="utf-8") as out:
            out.write(self)

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<SVG of {len(self)} characters; save(file) writes it>"


def _remove(file: str) -> None:
    try:
        os.unlink(file)
    except OSError:
        pass


class Result(Mapping[str, np.ndarray]):
    """The result of a run: a mapping from names to arrays.

    Both sides of an event are rows of their own: a variable that jumps has two values at one time.

    >>> r = rattleback.load(text="model D Real x(start=1, fixed=true); equation der(x) = -x; end D;").simulate(stop_time=1)
    >>> round(r["x"][-1], 4), r.time[-1], "x" in r
    (0.3679, 1.0, True)
    """

    def __init__(self, file: PathLike, *, _owned: bool = False) -> None:
        self.file = os.fspath(file)  #: the file that the values are read from
        self.summary: Optional[Summary] = None  #: what the run has cost; None: the result was read from a file
        self.messages: List[Message] = []  #: warnings and notes of the run
        if _owned:
            self._finalizer = weakref.finalize(self, _remove, self.file)
        self._context = Context()
        handle = ctypes.c_void_p()
        self._context.check(lib.rb_results_open(self._context.handle, encode(self.file), handle))
        self._handle = handle
        info = lib.rb_results_info(handle)
        self.model = decode(info.model)  #: name of the model
        #: Whether the run reached its end; None: the file does not say.
        self.complete: Optional[bool] = {0: True, 1: False}.get(info.ending)
        self.reason = decode(info.reason)  #: why the result is incomplete
        self._rows: int = info.rows
        self.variables: Dict[str, Series] = {s.name: s for s in map(self._series, range(info.variables))}  #: by name
        self._numbers = {name: i for i, name in enumerate(self.variables)}
        self._values: Dict[str, np.ndarray] = {}

    def _series(self, number: int) -> Series:
        s = _abi.RbSeries()
        self._context.check(lib.rb_results_variable(self._handle, number, s))
        kind = _abi.RbSeriesKind(s.kind).name[len("SERIES_") :].lower()
        return Series(decode(s.name), decode(s.unit), decode(s.description), kind)

    # ---- arrays

    @property
    def rows(self) -> int:
        """Number of rows: the length of every array."""
        return self._rows

    @property
    def time(self) -> np.ndarray:
        """All times [s]."""
        if "" not in self._values:
            values = np.empty(self._rows)
            self._context.check(lib.rb_results_times(self._handle, values.ctypes.data))
            self._values[""] = _constant(values)
        return self._values[""]

    def __getitem__(self, name: str) -> np.ndarray:
        """All values of a variable; NaN while it does not exist. "time" is the time."""
        known = self._values.get(name)
        if known is not None and name:
            return known
        if name == "time" and name not in self._numbers:
            return self.time
        values = np.empty(self._rows)
        self._context.check(lib.rb_results_values(self._handle, self._number(name), values.ctypes.data))
        self._values[name] = _constant(values)
        return values

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            raise unknown("variable", name, list(self.variables))
        return number

    def __contains__(self, name: object) -> bool:
        return name in self._numbers or name == "time"

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def __len__(self) -> int:
        return len(self.variables)

    def __repr__(self) -> str:
        span = f"{self.time[0]:g} to {self.time[-1]:g} s" if self._rows else "empty"
        ending = "" if self.complete in (True, None) else f", incomplete: {self.reason}"
        return f"<Result of {self.model or self.file}: {len(self)} variables, {self._rows} rows, {span}{ending}>"

    def find(self, pattern: str) -> List[str]:
        """Names that a regular expression matches as a whole."""
        return [name for name in self.variables if re.fullmatch(pattern, name)]

    def at(self, time: float, *names: str) -> np.ndarray:
        """Values at a time, linear between rows; at an event those after it."""
        if not (self._rows and self.time[0] <= time <= self.time[-1]):
            raise ValueError(f"the result has no time {time:g} s")
        after = int(np.searchsorted(self.time, time, side="right"))
        low, high = max(after - 1, 0), min(after, self._rows - 1)
        span = self.time[high] - self.time[low]
        share = (time - self.time[low]) / span if span > 0 else 0.0
        return np.array([self[n][low] + (share * (self[n][high] - self[n][low]) if share else 0.0) for n in names])

    def to_numpy(self, names: Optional[Sequence[str]] = None) -> np.ndarray:
        """A matrix with a row for each time and a column for each name (all variables if there are none)."""
        names = list(self.variables) if names is None else names
        columns = np.empty((len(names), self._rows))
        for column, name in zip(columns, names):
            if name == "time" or name in self._values:
                column[:] = self[name]
            else:
                self._context.check(lib.rb_results_values(self._handle, self._number(name), column.ctypes.data))
        return columns.T

    def to_pandas(self, names: Optional[Sequence[str]] = None) -> "pandas.DataFrame":
        """A ``pandas.DataFrame`` with the time as its index."""
        import pandas

        names = list(self.variables) if names is None else list(names)
        index = pandas.Index(self.time, name="time")
        return pandas.DataFrame(self.to_numpy(names), index=index, columns=names)

    # ---- what else the file holds

    @property
    def event_times(self) -> np.ndarray:
        """Times [s] with several rows: those of events."""
        return np.unique(self.time[1:][self.time[1:] == self.time[:-1]])

    @property
    def segments(self) -> List[Segment]:
        """Parts between changes of structure; empty if the file does not hold them (.csv, .mat)."""
        found: List[Segment] = []
        s = _abi.RbSegmentInfo()
        while lib.rb_results_segment(self._handle, len(found), s):
            found.append(Segment(s.time, decode(s.cause), s.states))
        return found

    @property
    def figures(self) -> Dict[str, float]:
        """Figures of the run that the file holds, such as the number of steps."""
        found: Dict[str, float] = {}
        name, value = ctypes.c_char_p(), ctypes.c_double()
        index = 0
        while lib.rb_results_figure(self._handle, index, name, value):
            found[decode(name.value)] = value.value
            index += 1
        return found

    # ---- files and pictures

    def save(self, file: PathLike) -> None:
        """Write the result as .mat, .csv or .rbj."""
        self._context.check(lib.rb_results_write(self._handle, encode(file)))

    def export(self, file: PathLike, time: float = float("nan")) -> None:
        """Write what is seen: .glb or .json with its motion; .obj, .ply or .stl at a time [s] (default: the last)."""
        self._context.check(lib.rb_export(self._context.handle, encode(self.file), encode(file), time))

    def _page(self, function: Any, title: Optional[str], plots: Sequence[str]) -> Page:
        for name in plots:
            self._number(name)
        options = _abi.RbViewOptions(title=encode(title) if title else None, plot_count=len(plots))
        options.plots = (ctypes.c_char_p * max(len(plots), 1))(*map(encode, plots))
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "page.html")
            self._context.check(function(self._context.handle, encode(self.file), encode(file), options))
            with open(file, encoding="utf-8") as text:
                return Page(text.read())

    def view(self, *plots: str, title: Optional[str] = None) -> Page:
        """The page of the run in three dimensions, with curves of the variables that are named.

        A notebook shows it; ``r.view().save("run.html")`` writes it.
        """
        return self._page(lib.rb_view, title, plots)

    def report(self, *plots: str, title: Optional[str] = None) -> Page:
        """A report of the run: what happened when, how large values became, energies."""
        return self._page(lib.rb_report, title, plots)

    def plot(self, *names: str, ax: Any = None, **style: Any) -> Any:
        """Curves over time: axes of matplotlib; without matplotlib an SVG that a notebook shows."""
        for name in names:
            self._number(name)
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            return self.svg(*names)
        if ax is None:
            ax = plt.subplots()[1]
        for name in names:
            unit = self.variables[name].unit
            ax.plot(self.time, self[name], label=f"{name} [{unit}]" if unit else name, **style)
        ax.set_xlabel("time [s]")
        ax.legend()
        return ax

    def svg(self, *names: str, title: Optional[str] = None) -> Picture:
        """Curves over time as SVG, drawn by the library; variables of one unit share a panel."""
        plot = lib.rb_plot_default()
        plot.variables = (ctypes.c_char_p * max(len(names), 1))(*(re.escape(n).encode() for n in names))
        plot.variable_count = len(names)
        plot.title = encode(title) if title else None
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "plot.svg")
            self._context.check(lib.rb_plot_write(self._context.handle, encode(self.file), plot, encode(file)))
            with open(file, encoding="utf-8") as text:
                return Picture(text.read())

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{html.escape(s.name)}</td><td>{html.escape(s.unit)}</td><td>{html.escape(s.description)}</td></tr>"
            for s in list(self.variables.values())[:20]
        )
        more = f"<p>and {len(self) - 20} more</p>" if len(self) > 20 else ""
        head = "<tr><th>variable</th><th>unit</th><th>description</th></tr>"
        return f"<p>{html.escape(repr(self)[1:-1])}</p><table>{head}{cells}</table>{more}"


def _constant(values: np.ndarray) -> np.ndarray:
    values.flags.writeable = False
    return values


def read(file: PathLike) -> Result:
    """Read a result: .rbj, .mat or .csv."""
    if not os.path.exists(file):
        raise FileError(f"there is no file '{os.fspath(file)}'")
    return Result(file)


def temporary_journal() -> Tuple[str, bytes]:
    """A new empty file for a journal: its name as text and as bytes."""
    handle, name = tempfile.mkstemp(prefix="rattleback-", suffix=".rbj")
    os.close(handle)
    return name, encode(name)
