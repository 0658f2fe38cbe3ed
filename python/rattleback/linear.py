# SPDX-License-Identifier: MIT
"""A run near a point as a linear system: matrices, eigenvalues, frequency response."""

from __future__ import annotations

import ctypes
from typing import List, NamedTuple, Sequence, Union

import numpy as np

from . import _abi
from ._context import Context
from ._library import lib


class Rest(NamedTuple):
    """How a point of rest was found."""

    iterations: int
    rate: float  #: [1/s] largest rate of change of a state relative to its size


class Modes(NamedTuple):
    """Eigenvalues of a linear system, by growing magnitude."""

    values: np.ndarray  #: complex [1/s]
    participation: np.ndarray  #: element k, i: how much state i takes part in mode k; the sum over i is 1

    @property
    def frequency(self) -> np.ndarray:
        """[Hz] of the undamped modes: magnitude over 2 pi."""
        return np.abs(self.values) / (2 * np.pi)

    @property
    def damping(self) -> np.ndarray:
        """Damping ratios: 1 and more do not swing, below 0 grows; NaN for eigenvalues that are zero."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return -self.values.real / np.abs(self.values)


class LinearSystem:
    """d(dx)/dt = A dx + B du, dy = C dx + D du. Made by :meth:`Run.linearize`.

    The matrices are those that scipy.signal.StateSpace and control.ss take: ``scipy.signal.StateSpace(s.A, s.B, s.C, s.D)``.
    """

    def __init__(self, context: Context, states: List[str], inputs: List[str], outputs: List[str]) -> None:
        self.states, self.inputs, self.outputs = states, inputs, outputs
        self._context = context
        n, m, p = len(states), len(inputs), len(outputs)
        # Columns lie one after the other in C.
        self.A = np.zeros((n, n), order="F")
        self.B = np.zeros((n, m), order="F")
        self.C = np.zeros((p, n), order="F")
        self.D = np.zeros((p, m), order="F")

    def _view(self, inputs: int = 0, outputs: int = 0) -> _abi.RbLinearSystem:
        places = [matrix.ctypes.data if matrix.size else None for matrix in (self.A, self.B, self.C, self.D)]
        return _abi.RbLinearSystem(inputs or None, outputs or None, len(self.inputs), len(self.outputs), *places)

    def modes(self) -> Modes:
        """Eigenvalues of A and which states take part in them."""
        n = len(self.states)
        real, imaginary, participation = np.empty(n), np.empty(n), np.empty((n, n))
        status = lib.rb_linear_modes(
            self._context.handle, n, self.A.ctypes.data, real.ctypes.data, imaginary.ctypes.data, participation.ctypes.data
        )
        self._context.check(status)
        return Modes(real + 1j * imaginary, participation)

    def shapes(self) -> np.ndarray:
        """How the states move in each mode: column k is the eigenvector of mode k of ``modes``."""
        n = len(self.states)
        real, imaginary = np.empty((n, n)), np.empty((n, n))
        self._context.check(lib.rb_linear_shapes(self._context.handle, n, self.A.ctypes.data, real.ctypes.data, imaginary.ctypes.data))
        return (real + 1j * imaginary).T

    def response(self, frequency: Union[float, Sequence[float], np.ndarray]) -> np.ndarray:
        """C (i w I - A)^-1 B + D at frequencies [Hz]: complex, outputs x inputs; for several frequencies they come first."""
        frequencies = np.atleast_1d(np.asarray(frequency, float))
        found = np.empty((frequencies.size, len(self.outputs), len(self.inputs)), complex)
        view = self._view()
        shape = (len(self.outputs), len(self.inputs))
        real, imaginary = np.zeros(shape, order="F"), np.zeros(shape, order="F")
        for k, f in enumerate(frequencies.flat):
            status = lib.rb_linear_response(
                self._context.handle, len(self.states), ctypes.byref(view), 2 * np.pi * f, real.ctypes.data, imaginary.ctypes.data
            )
            self._context.check(status)
            found[k] = real + 1j * imaginary
        return found[0] if np.ndim(frequency) == 0 else found

    def __repr__(self) -> str:
        return f"<LinearSystem: {len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs>"
