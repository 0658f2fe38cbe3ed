# SPDX-License-Identifier: MIT
"""Experiments with a model: sweeps, parameters from measurements, optimisation. Runs go at once in threads, which
release the interpreter lock; what fits and what is least is found by scipy."""

from __future__ import annotations

import csv
import itertools
import os
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from .errors import Error, UsageError
from .result import PathLike, Result, read

if TYPE_CHECKING:
    from .model import Model, Value

Keep = Union[str, Callable[[Result], float]]
Bounds = Tuple[float, float, float]  #: low, start, high


class Table(Mapping):
    """The runs of a sweep: ``t["e"]`` is an array with a value for each run, NaN for what a failed run has not.

    ``t.errors`` has a text for each run, "" where all went well; ``t.write("t.csv")`` makes a table for `rattleback plot`."""

    def __init__(self, columns: Dict[str, np.ndarray], errors: List[str]) -> None:
        self._columns = columns
        self.errors = errors

    def __getitem__(self, name: str) -> np.ndarray:
        return self._columns[name]

    def __iter__(self) -> Any:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        failed = sum(1 for e in self.errors if e)
        return f"<Table of {len(self.errors)} runs, {failed} failed: {', '.join(self)}>"

    def write(self, file: PathLike) -> None:
        """Write the table as CSV: a row per run, with its status and the reason if it failed."""
        with open(file, "w", newline="") as out:
            rows = csv.writer(out, lineterminator="\n")
            rows.writerow(["run", *self, "status", "reason"])
            for i, error in enumerate(self.errors):
                values = [self[name][i] for name in self]
                fields = ["" if isinstance(v, float) and np.isnan(v) else v for v in values]
                rows.writerow([i + 1, *fields, 1 if error else 0, error])


def _each(work: Callable[[Any], Any], items: Iterable[Any], jobs: Optional[int], executor: Optional[Executor]) -> List[Any]:
    if executor is not None:
        return list(executor.map(work, items))
    with ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        return list(pool.map(work, items))


def sweep(
    model: "Model",
    vary: Union[Mapping[str, Sequence["Value"]], Sequence[Mapping[str, "Value"]]],
    keep: Union[Mapping[str, Keep], Sequence[str]],
    *,
    jobs: Optional[int] = None,
    executor: Optional[Executor] = None,
    **options: Any,
) -> Table:
    """Run the model many times.

    vary: values for each name, of which all combinations are run, or a list with the settings of each run.
    keep: names, whose values at the end are kept, or a function of the result for each column.
    jobs: threads; executor: another executor of threads. options: as of :meth:`Model.simulate`.
    A run that fails is a row with its error.

    >>> m = rattleback.load(text="model D parameter Real k = 1; Real x(start=1, fixed=true); equation der(x) = -k*x; end D;")
    >>> t = rattleback.sweep(m, {"k": [1, 2]}, {"x": "x", "least": lambda r: r["x"].min()}, stop_time=1)
    >>> t
    <Table of 2 runs, 0 failed: k, x, least>
    >>> t["x"].round(4).tolist()
    [0.3679, 0.1353]
    """
    if isinstance(vary, Mapping):
        runs: List[Mapping[str, Any]] = [dict(zip(vary, values)) for values in itertools.product(*vary.values())]
    else:
        runs = list(vary)
    if not runs or not runs[0]:
        raise UsageError("nothing is varied: give values for a name")
    names = list(runs[0])
    if any(list(r) != names for r in runs):
        raise UsageError("all runs set the same names, in the same order")
    kept: Dict[str, Keep] = dict(keep) if isinstance(keep, Mapping) else {name: name for name in keep}

    def run(settings: Mapping[str, Any]) -> Tuple[List[float], str]:
        try:
            r = model.simulate(parameters=settings, **options)
            return [float(r[k][-1] if isinstance(k, str) else k(r)) for k in kept.values()], ""
        except UsageError:
            raise
        except Error as error:
            return [np.nan] * len(kept), str(error)

    rows = _each(run, runs, jobs, executor)
    columns = {name: np.array([r[name] for r in runs]) for name in names}
    for j, name in enumerate(kept):
        columns[name] = np.array([row[0][j] for row in rows])
    return Table(columns, [row[1] for row in rows])


class Fit(NamedTuple):
    """Parameters from measurements."""

    values: Dict[str, float]
    confidence: Dict[str, float]  #: half of the 95 % interval; infinite where the data do not tell parameters apart
    covariance: np.ndarray
    noise: Dict[str, float]  #: standard deviation of each signal
    residuals: List[Dict[str, np.ndarray]]  #: of each experiment: model minus measurement


Measured = Union[PathLike, Mapping[str, Any]]


def _signals(data: Measured) -> Dict[str, np.ndarray]:
    if isinstance(data, (str, os.PathLike)):
        r = read(data)
        return {"time": np.asarray(r.time), **{name: np.asarray(r[name]) for name in r}}
    return {name: np.asarray(values, float) for name, values in data.items()}


def fit(
    model: "Model",
    unknown: Mapping[str, Bounds],
    data: Sequence[Union[Measured, Tuple[Measured, Mapping[str, "Value"]]]],
    *,
    jobs: Optional[int] = None,
    tolerance: float = 1e-9,
    **options: Any,
) -> Fit:
    """Find parameters for which signals of the model are next to measured ones.

    unknown: low, start and high for each name. data: for each experiment a file, or arrays "time" and others called like
    variables of the model; with settings of the experiment as ``(data, {"h": 0.5})``. Signals are weighed by their noise.
    options: as of :meth:`Model.run`. Needs scipy.

    >>> m = rattleback.load(text="model D parameter Real k = 1; Real x(start=1, fixed=true); equation der(x) = -k*x; end D;")
    >>> t = np.linspace(0.1, 2, 20)
    >>> f = rattleback.fit(m, {"k": (0.1, 1, 10)}, [{"time": t, "x": np.exp(-1.7*t)}])
    >>> round(f.values["k"], 4)
    1.7
    """
    from scipy.optimize import least_squares  # type: ignore[import-untyped]

    names = list(unknown)
    low, start, high = np.array([unknown[n] for n in names], float).T
    pairs = [d if isinstance(d, tuple) else (d, {}) for d in data]
    experiments = [(_signals(measured), settings) for measured, settings in pairs]
    signals = sorted({s for measured, _ in experiments for s in measured if s != "time"})
    if not signals:
        raise UsageError("give what was measured: arrays called like variables of the model")
    noise = {s: 1.0 for s in signals}

    def residuals_of(job: Tuple[np.ndarray, int]) -> Dict[str, np.ndarray]:
        values, number = job
        measured, settings = experiments[number]
        times, own = measured["time"], [s for s in signals if s in measured]
        out = {s: np.empty(len(times)) for s in own}
        parameters = {**settings, **dict(zip(names, values))}
        with model.run(stop_time=float(times[-1]), tolerance=tolerance, parameters=parameters, **options) as run:
            for i, t in enumerate(times):
                run.step(until=float(t))
                for s in own:
                    out[s][i] = run[s] - measured[s][i]
        return out

    def weighed(all_residuals: List[Dict[str, np.ndarray]]) -> np.ndarray:
        parts = [r[s][~np.isnan(r[s])] / noise[s] for r in all_residuals for s in signals if s in r]
        return np.concatenate(parts)

    count = len(experiments)

    def at(points: Sequence[np.ndarray]) -> List[np.ndarray]:
        """Residuals at several points; all of their runs go at once."""
        found = _each(residuals_of, [(p, e) for p in points for e in range(count)], jobs, None)
        return [weighed(found[i * count : (i + 1) * count]) for i in range(len(points))]

    def derivatives(point: np.ndarray) -> np.ndarray:
        steps = 1e-4 * np.maximum(np.abs(point), 0.01 * (high - low))
        up, down = np.minimum(high, point + np.diag(steps)), np.maximum(low, point - np.diag(steps))
        values = at([*up, *down])
        k = len(names)
        return np.array([(values[j] - values[k + j]) / (up[j, j] - down[j, j]) for j in range(k)]).T

    point = start
    for _ in range(2):  # once more, each signal weighed by its noise
        found = least_squares(lambda p: at([p])[0], point, derivatives, bounds=(low, high), x_scale="jac", xtol=1e-10, ftol=1e-12)
        point = found.x
        rest = [residuals_of((point, e)) for e in range(count)]
        total = sum(np.count_nonzero(~np.isnan(v)) for r in rest for v in r.values())
        for s in signals:
            of_signal = np.concatenate([r[s][~np.isnan(r[s])] for r in rest if s in r])
            freedom = len(of_signal) * (1 - len(names) / total)
            if freedom > 0 and np.any(of_signal):
                noise[s] = float(np.sqrt(np.sum(of_signal**2) / freedom))
    jacobian = derivatives(point)
    try:
        covariance = np.linalg.inv(jacobian.T @ jacobian)
    except np.linalg.LinAlgError:
        covariance = np.full((len(names), len(names)), np.inf)
    interval = 1.96 * np.sqrt(np.abs(np.diag(covariance)))
    return Fit(dict(zip(names, map(float, point))), dict(zip(names, map(float, interval))), covariance, noise, rest)


class Optimum(NamedTuple):
    """The best point that was found."""

    values: Dict[str, float]
    objective: float
    result: Result  #: of the run there
    runs: int
    message: str


def optimize(
    model: "Model",
    vary: Mapping[str, Bounds],
    minimize: Callable[[Result], float],
    *,
    subject_to: Sequence[Callable[[Result], float]] = (),
    everywhere: bool = False,
    seed: int = 1,
    jobs: Optional[int] = None,
    tolerance: float = 1e-8,
    **options: Any,
) -> Optimum:
    """Find parameters for which a number from the result is least.

    vary: low, start and high for each name. minimize: a function of the result. subject_to: functions that must not be
    negative. everywhere: search all of the bounds (differential evolution, whose runs go at once) and not only near the start
    (COBYLA). A run that fails is worse than all others. options: as of :meth:`Model.simulate`. Needs scipy.

    >>> m = rattleback.load(text="model P parameter Real a = 0; Real y(start=0, fixed=true); equation der(y) = (a - 0.3)^2; end P;")
    >>> o = rattleback.optimize(m, {"a": (-1, 0.8, 1)}, lambda r: r["y"][-1], stop_time=1)
    >>> round(o.values["a"], 3)
    0.3
    """
    from scipy.optimize import NonlinearConstraint, differential_evolution, minimize as least  # type: ignore[import-untyped]

    names = list(vary)
    low, start, high = np.array([vary[n] for n in names], float).T
    seen: Dict[Tuple[float, ...], List[float]] = {}
    runs = 0

    def settings(point: np.ndarray) -> Dict[str, float]:
        return dict(zip(names, np.clip(low + point * (high - low), low, high).tolist()))

    def evaluate(point: np.ndarray) -> List[float]:
        nonlocal runs
        key = tuple(point.tolist())
        if key not in seen:
            runs += 1
            try:
                r = model.simulate(tolerance=tolerance, parameters=settings(point), **options)
                seen[key] = [float(minimize(r)), *(float(c(r)) for c in subject_to)]
            except UsageError:
                raise
            except Error:
                seen[key] = [np.nan] * (1 + len(subject_to))
        return seen[key]

    def objective(point: np.ndarray) -> float:
        value = evaluate(point)[0]
        if np.isnan(value):
            good = [v[0] for v in seen.values() if not np.isnan(v[0])]
            return max(good) + 1 + abs(max(good)) if good else 1e10
        return value

    def excess(point: np.ndarray) -> List[float]:
        return [-1.0 if np.isnan(c) else c for c in evaluate(point)[1:]]

    bounds = [(0.0, 1.0)] * len(names)
    if everywhere:
        with ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
            rules = (NonlinearConstraint(excess, 0, np.inf),) if subject_to else ()
            found = differential_evolution(
                objective, bounds, constraints=rules, seed=seed, x0=(start - low) / (high - low), workers=pool.map, updating="deferred"
            )
    else:
        inside = [{"type": "ineq", "fun": lambda p: np.concatenate([p, 1 - p, excess(p)])}]
        begin = (start - low) / (high - low)
        found = least(objective, begin, method="COBYLA", constraints=inside, tol=1e-6, options={"rhobeg": 0.1, "maxiter": 200 * (len(names) + 1)})
    point = np.clip(found.x, 0, 1)
    result = model.simulate(tolerance=tolerance, parameters=settings(point), **options)
    return Optimum(settings(point), float(minimize(result)), result, runs + 1, str(found.message))
