# SPDX-License-Identifier: MIT
"""Solids as closed triangle meshes: primitives, files, union, difference, intersection.

>>> from rattleback import solid
>>> plate = solid.box(0.1, 0.1, 0.01) - solid.cylinder(0.02, 0.03).moved(0.05, 0.05, -0.01)
>>> round(plate.volume * 1e6, 2)     # 100 cm3 - 0.01 pi 0.02^2 m3
87.45
"""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, Callable, NamedTuple, Sequence, Tuple, Union

import numpy as np

from . import _abi
from ._context import Context, encode
from ._library import lib
from .result import PathLike

_Make = Callable[[Context], int]


class Properties(NamedTuple):
    """Mass properties for density 1 kg/m3."""

    volume: float  #: [m3]
    area: float  #: [m2]
    centroid: np.ndarray  #: [m]
    inertia: np.ndarray  #: [m5] about the centroid
    vertices: int
    triangles: int
    components: int


def _new(context: Context, function: Any, *arguments: Any) -> int:
    handle = ctypes.c_void_p()
    context.check(function(*arguments, handle))
    return handle.value  # type: ignore[return-value]


def _numbers(*values: float) -> Any:
    return (ctypes.c_double * len(values))(*values)


class Solid:
    """A solid, which is never changed: every operation makes a new one. ``a + b``, ``a - b``, ``a & b`` combine."""

    def __init__(self, make: _Make) -> None:
        self._make = make
        self._built: "weakref.WeakKeyDictionary[Context, int]" = weakref.WeakKeyDictionary()
        self._context = Context()
        self._in(self._context)

    def _in(self, context: Context) -> int:
        """The solid in a context: it is built there when it is first needed."""
        if context not in self._built:
            self._built[context] = self._make(context)
        return self._built[context]

    def _combined(self, other: "Solid", operation: int) -> "Solid":
        return Solid(lambda c: _new(c, lib.rb_workpiece_combine, operation, self._in(c), other._in(c)))

    def __add__(self, other: "Solid") -> "Solid":
        return self._combined(other, _abi.RbWorkpieceOperation.WORKPIECE_UNION)

    def __sub__(self, other: "Solid") -> "Solid":
        return self._combined(other, _abi.RbWorkpieceOperation.WORKPIECE_DIFFERENCE)

    def __and__(self, other: "Solid") -> "Solid":
        return self._combined(other, _abi.RbWorkpieceOperation.WORKPIECE_INTERSECTION)

    def mapped(self, matrix: Any = None, offset: Any = None) -> "Solid":
        """x becomes matrix x + offset."""
        m = None if matrix is None else _numbers(*np.asarray(matrix, float).reshape(9))
        r = None if offset is None else _numbers(*np.asarray(offset, float).reshape(3))
        return Solid(lambda c: _new(c, lib.rb_workpiece_map, self._in(c), m, r))

    def moved(self, x: float = 0, y: float = 0, z: float = 0) -> "Solid":
        """Moved by x, y, z [m]."""
        return self.mapped(offset=(x, y, z))

    def turned(self, axis: Sequence[float], angle: float) -> "Solid":
        """Turned about an axis through the origin by an angle [rad]."""
        n = np.asarray(axis, float) / np.linalg.norm(axis)
        cross = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
        return self.mapped(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)

    def simplified(self, tolerance: float) -> "Solid":
        """Without vertices whose removal moves the surface by less than a tolerance [m]."""
        return Solid(lambda c: _new(c, lib.rb_workpiece_simplify, self._in(c), tolerance))

    def refined(self, longest: float) -> "Solid":
        """With no side longer than a length [m]."""
        return Solid(lambda c: _new(c, lib.rb_workpiece_refine, self._in(c), longest))

    @property
    def properties(self) -> Properties:
        """Volume, area, centroid, moments of inertia, counts."""
        p = _abi.RbWorkpieceProperties()
        self._context.check(lib.rb_workpiece_properties(self._in(self._context), p))
        inertia = np.array(p.inertia).reshape(3, 3)
        return Properties(p.volume, p.area, np.array(p.centroid), inertia, p.vertices, p.triangles, p.components)

    @property
    def volume(self) -> float:
        """[m3]"""
        return self.properties.volume

    @property
    def mesh(self) -> Tuple[np.ndarray, np.ndarray]:
        """Vertices (n x 3, [m]) and triangles (m x 3), counter-clockwise seen from outside."""
        vertices, triangles = ctypes.POINTER(ctypes.c_double)(), ctypes.POINTER(ctypes.c_int)()
        n, m = ctypes.c_int(), ctypes.c_int()
        lib.rb_workpiece_mesh(self._in(self._context), vertices, n, triangles, m)
        as_array = np.ctypeslib.as_array
        return as_array(vertices, (n.value, 3)).copy(), as_array(triangles, (m.value, 3)).copy()

    def write(self, file: PathLike) -> None:
        """Write .stl, .obj or .ply."""
        self._context.check(lib.rb_workpiece_write(self._in(self._context), encode(file)))

    def __repr__(self) -> str:
        p = self.properties
        return f"<Solid: {p.volume:.4g} m3, {p.triangles} triangles>"


def box(x: float, y: float, z: float) -> Solid:
    """From the origin to the corner x, y, z [m]."""
    return Solid(lambda c: _new(c, lib.rb_workpiece_box, c.handle, _numbers(x, y, z)))


def cone(bottom: float, top: float, height: float, segments: int = 64) -> Solid:
    """About the z axis from z = 0; radii and height [m], one radius may be zero."""
    return Solid(lambda c: _new(c, lib.rb_workpiece_cone, c.handle, bottom, top, height, segments))


def cylinder(radius: float, height: float, segments: int = 64) -> Solid:
    """About the z axis from z = 0 [m]."""
    return cone(radius, radius, height, segments)


def sphere(radius: float, segments: int = 64) -> Solid:
    """About the origin [m]."""
    return Solid(lambda c: _new(c, lib.rb_workpiece_sphere, c.handle, radius, segments))


def torus(radius: float, tube: float, segments: int = 64) -> Solid:
    """About the z axis: radius of the ring and of its tube [m]."""
    return Solid(lambda c: _new(c, lib.rb_workpiece_torus, c.handle, radius, tube, segments))


Loops = Union[Sequence[Sequence[float]], Sequence[Sequence[Sequence[float]]], np.ndarray]


def _polygon(loops: Loops) -> Any:
    parts = [np.asarray(loops, float)] if np.ndim(loops[0][0]) == 0 else [np.asarray(loop, float) for loop in loops]
    counts = (ctypes.c_int * len(parts))(*map(len, parts))
    return _abi.RbWorkpiecePolygon(_numbers(*np.concatenate(parts).ravel()), counts, len(parts))


def extrude(polygon: Loops, height: float) -> Solid:
    """A polygon drawn out along z: points x, y [m], or several loops of them; loops within others are holes."""
    outline = _polygon(polygon)
    return Solid(lambda c: _new(c, lib.rb_workpiece_extrude, c.handle, outline, height))


def lathe(polygon: Loops, segments: int = 64) -> Solid:
    """A polygon turned about the z axis: x is the radius, y the height [m]."""
    outline = _polygon(polygon)
    return Solid(lambda c: _new(c, lib.rb_workpiece_lathe, c.handle, outline, segments))


def read(file: PathLike, scale: float = 1.0) -> Solid:
    """A file (.stl, .obj, .ply, .dxf), welded and repaired; scale: metres per unit."""
    name = encode(file)
    return Solid(lambda c: _new(c, lib.rb_workpiece_read, c.handle, name, scale))
