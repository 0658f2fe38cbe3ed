# SPDX-License-Identifier: MIT
"""Scenes: bodies, joints and forces that are put together in Python."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi
from ._context import Context, Watch, current, decode, encode
from ._library import lib
from .errors import UsageError
from .model import Model, open_named
from .result import PathLike
from .run import Motion
from .solid import Solid

Vector = Sequence[float]
_Apply = Callable[[Context, ctypes.c_void_p], int]


class Object(NamedTuple):
    """A solid, a mass or a frame of a scene."""

    name: str
    number: int


class Joint(NamedTuple):
    """A joint of a scene."""

    name: str
    number: int


WORLD = Object("world", 0)
_Where = Optional[Object]


def _colour(value: Any) -> Any:
    """Red, green, blue and perhaps the opacity, 0 to 255."""
    if isinstance(value, (str, bytes)) or len(value) not in (3, 4) or not all(0 <= part <= 255 for part in value):
        raise UsageError(f"the colour {value!r} is not red, green, blue and perhaps opacity, each from 0 to 255")
    return _abi.Colour(*(int(part) for part in (*value, 255)[:4]))


def _fill(structure: Any, values: Dict[str, Any]) -> None:
    """Set fields: numbers, vectors, texts, objects. None leaves the default."""
    kinds = dict(structure._fields_)
    for name, value in values.items():
        if name not in kinds:
            raise UsageError(f"{type(structure).__name__[2:]} has no '{name}'; it has {', '.join(kinds)}")
        if value is None:
            continue
        if isinstance(value, (Object, Joint)):
            value = value.number
        elif kinds[name] is _abi.Colour:
            value = _colour(value)
        elif isinstance(value, (str, bytes)):
            value = encode(value)
        elif hasattr(kinds[name], "_length_"):
            value = _array(value, kinds[name]._length_, name)
        setattr(structure, name, value)


def _array(values: Any, count: int, what: str) -> Any:
    flat = np.asarray(values, float).ravel()
    if flat.size != count:
        raise UsageError(f"'{what}' needs {count} numbers, not {flat.size}")
    return (ctypes.c_double * count)(*flat)


def _choice(prefix: str, enumeration: Any, word: str) -> int:
    """A literal by its word: 'bristle' of RB_FRICTION_BRISTLE."""
    words = {name[len(prefix) :].lower(): int(value) for name, value in enumeration.__members__.items()}
    if word not in words:
        raise UsageError(f"'{word}' is none of {', '.join(words)}")
    return words[word]


class Scene:
    """A mechanical system: objects, joints, forces, materials. Up is +z; SI units; rotations are quaternions w, x, y, z.

    >>> scene = rattleback.Scene("drop")
    >>> plate = scene.box("plate", (1, 1, 0.1), material="Steel", position=(0, 0, -0.05))
    >>> ball = scene.sphere("ball", 0.1, material="Steel", position=(0, 0, 1.05), free=True)
    >>> with scene.model().run(stop_time=1) as run:
    ...     first = next(run.events())
    >>> round(first.time, 3)     # sqrt(2/9.81)
    0.452
    """

    def __init__(self, name: str = "scene") -> None:
        self.name = name
        self._log: List[_Apply] = []
        self._keep: List[Any] = []
        self._context = Context()
        self._builder = self._create(self._context)
        self._joints: Dict[str, Joint] = {}

    def _create(self, context: Context) -> ctypes.c_void_p:
        return open_named(context, lib.rb_builder_create, self.name)

    # Every call is made at once, for its errors, and again for every instance of the model.
    def _do(self, apply: _Apply) -> None:
        self._context.check(apply(self._context, self._builder))
        self._log.append(apply)

    def model(self) -> Model:
        """The model of the scene as it is now; the scene may be changed afterwards for another model."""
        log, create, keep = list(self._log), self._create, list(self._keep)

        def build(context: Context) -> ctypes.c_void_p:
            context.keep.append(keep)
            builder, handle = create(context), ctypes.c_void_p()
            for apply in log:
                context.check(apply(context, builder))
            context.check(lib.rb_builder_finish(builder, handle))
            return handle

        return Model(build)

    def describe(self) -> str:
        """A line for every object and joint, and the sums."""
        text = ctypes.c_char_p()
        self._context.check(lib.rb_builder_describe(self._builder, text))
        return decode(text.value)

    @property
    def materials(self) -> List[str]:
        """Names of the materials."""
        found: List[str] = []
        while True:
            name = lib.rb_builder_material(self._builder, len(found))
            if name is None:
                return found
            found.append(decode(name))

    def gravity(self, g: Vector) -> None:
        """Gravity [m/s2]; zero: none."""
        values = _array(g, 3, "g")
        self._do(lambda c, b: lib.rb_builder_gravity(b, values))

    def up(self, direction: Vector) -> None:
        """Another direction is up, for gravity and for half-spaces that are added from now on."""
        values = _array(direction, 3, "direction")
        self._do(lambda c, b: lib.rb_builder_up(b, values))

    def steady_start(self, steady: bool = True) -> None:
        """Bodies start at rest where forces balance, near where they are put."""
        self._do(lambda c, b: lib.rb_builder_steady_start(b, steady))

    # ---- objects

    def _add(self, add: Callable[[Context, ctypes.c_void_p, Any], int], name: str) -> Object:
        number = ctypes.c_int()
        self._do(lambda c, b: add(c, b, number))
        return Object(name, number.value)

    def _solid(self, name: str, kind: int, material: str, fields: Dict[str, Any]) -> Object:
        # The structure points to these bytes; _keep holds them as long as it.
        texts = encode(name), encode(material)
        solid = lib.rb_solid_default(texts[0], kind, texts[1])
        self._keep.append((texts, solid))
        _fill(solid, fields)
        return self._add(lambda c, b, number: lib.rb_builder_add_solid(b, solid, number), name)

    def sphere(self, name: str, diameter: float, material: str = "Steel", **fields: Any) -> Object:
        """A ball [m]. Fields of every solid: ``position``, ``rotation``, ``velocity``, ``angular_velocity``, ``free=True`` (it
        moves; otherwise it is fixed to ``parent``, the world by default, or held by a joint: ``held_by_joint=True``), ``mass``,
        ``has_inertia`` with ``centre`` and ``inertia``, ``smoothing``, ``contact_material``, ``no_contact``."""
        return self._solid(name, _abi.RbSolidKind.SOLID_SPHERE, material, {"diameter": diameter, **fields})

    def ellipsoid(self, name: str, lengths: Vector, material: str = "Steel", **fields: Any) -> Object:
        """An ellipsoid with three lengths [m]; fields as of :meth:`sphere`."""
        return self._solid(name, _abi.RbSolidKind.SOLID_ELLIPSOID, material, {"lengths": lengths, **fields})

    def box(self, name: str, lengths: Vector, material: str = "Steel", **fields: Any) -> Object:
        """A box with three lengths [m] about its centre; fields as of :meth:`sphere`."""
        return self._solid(name, _abi.RbSolidKind.SOLID_BOX, material, {"lengths": lengths, **fields})

    def cylinder(self, name: str, diameter: float, length: float, material: str = "Steel", *, axis: int = 3, **fields: Any) -> Object:
        """A cylinder [m] along axis 1, 2 or 3; fields as of :meth:`sphere`."""
        size = {"diameter": diameter, "length": length, "axis": axis}
        return self._solid(name, _abi.RbSolidKind.SOLID_CYLINDER, material, {**size, **fields})

    def cone(self, name: str, diameter: float, length: float, material: str = "Steel", *, axis: int = 3, top_diameter: float = 0, **fields: Any) -> Object:
        """A cone [m] along axis 1, 2 or 3 with its frame at the centre of the base; fields as of :meth:`sphere`."""
        size = {"diameter": diameter, "length": length, "axis": axis, "top_diameter": top_diameter}
        return self._solid(name, _abi.RbSolidKind.SOLID_CONE, material, {**size, **fields})

    def capsule(self, name: str, diameter: float, length: float, material: str = "Steel", *, axis: int = 3, **fields: Any) -> Object:
        """A capsule [m] along axis 1, 2 or 3; fields as of :meth:`sphere`."""
        size = {"diameter": diameter, "length": length, "axis": axis}
        return self._solid(name, _abi.RbSolidKind.SOLID_CAPSULE, material, {**size, **fields})

    def beam(self, name: str, length: float, width: float, thickness: float, material: str = "Steel", *, axis: int = 1, **fields: Any) -> Object:
        """A beam [m] along axis 1, 2 or 3, with round ends; fields as of :meth:`sphere`."""
        size = {"length": length, "width": width, "thickness": thickness, "axis": axis}
        return self._solid(name, _abi.RbSolidKind.SOLID_BEAM, material, {**size, **fields})

    def halfspace(self, name: str = "ground", material: str = "Steel", **fields: Any) -> Object:
        """All points below its frame; fields as of :meth:`sphere`."""
        return self._solid(name, _abi.RbSolidKind.SOLID_HALFSPACE, material, fields)

    def hull(self, name: str, points: Any, material: str = "Steel", **fields: Any) -> Object:
        """The convex hull of points (n x 3, [m]), grown by ``radius``; fields as of :meth:`sphere`."""
        flat = np.asarray(points, float).reshape(-1, 3)
        array = (ctypes.c_double * flat.size)(*flat.ravel())
        return self._solid(name, _abi.RbSolidKind.SOLID_HULL, material, {"points": array, "point_count": len(flat), **fields})

    def mesh(self, name: str, file: PathLike, material: str = "Steel", *, scale: float = 1.0, parts: bool = False, **fields: Any) -> Object:
        """A mesh file (.stl, .obj, .ply) or a folder of convex parts; scale: metres per unit. Contact is that of its hull, or of
        the convex parts of the file (``parts=True``). Fields as of :meth:`sphere`."""
        source = {"mesh_file": encode(file), "mesh_scale": scale, "mesh_parts": parts}
        return self._solid(name, _abi.RbSolidKind.SOLID_MESH, material, {**source, **fields})

    def mass(self, name: str, mass: float, inertia: Vector = (0,) * 6, *, centre: Vector = (0, 0, 0), position: Vector = (0, 0, 0), parent: _Where = WORLD) -> Object:
        """A body without a shape: mass [kg], moments of inertia about its centre [kg.m2] (Ixx, Iyy, Izz, Ixy, Ixz, Iyz).
        parent None: a joint holds it."""
        where = -1 if parent is None else parent.number
        vectors = _array(position, 3, "position"), _array(centre, 3, "centre"), _array(inertia, 6, "inertia")

        def add(c: Context, b: Any, number: Any) -> int:
            return lib.rb_builder_add_mass(b, encode(name), where, vectors[0], mass, vectors[1], vectors[2], number)

        return self._add(add, name)

    def frame(self, name: str, parent: Object = WORLD, position: Vector = (0, 0, 0), rotation: Vector = (1, 0, 0, 0)) -> Object:
        """A frame that is fixed to an object."""
        r, q = _array(position, 3, "position"), _array(rotation, 4, "rotation")
        return self._add(lambda c, b, number: lib.rb_builder_add_frame(b, encode(name), parent.number, r, q, number), name)

    # ---- joints and forces

    def joint(self, kind: str, name: str, a: Object, b: Object, **fields: Any) -> Joint:
        """A joint that places b relative to a: "revolute", "prismatic", "cylindrical", "planar", "universal" or "spherical".

        Fields: ``axis``, ``axis2``, ``start`` and ``speed`` (a number, or one for each coordinate), ``rotation`` (spherical), ``can_collide``.
        """
        text = encode(name)
        joint = lib.rb_scene_joint_default(text, _choice("SCENE_", _abi.RbSceneJointKind, kind), a.number, b.number)
        self._keep.append((text, joint))
        for field in ("start", "speed"):
            if field in fields:
                given = np.atleast_1d(fields[field])
                fields[field] = np.concatenate([given, np.zeros(3 - len(given))])
        _fill(joint, fields)
        number = ctypes.c_int()
        self._do(lambda c, builder: lib.rb_builder_add_joint(builder, joint, number))
        return Joint(name, number.value)

    def revolute(self, name: str, a: Object, b: Object, axis: Vector = (0, 0, 1), **fields: Any) -> Joint:
        """b turns about an axis of a; fields as of :meth:`joint`."""
        return self.joint("revolute", name, a, b, axis=axis, **fields)

    def prismatic(self, name: str, a: Object, b: Object, axis: Vector = (0, 0, 1), **fields: Any) -> Joint:
        """b slides along an axis of a; fields as of :meth:`joint`."""
        return self.joint("prismatic", name, a, b, axis=axis, **fields)

    def motor(self, joint: Joint, input: Optional[str] = None, law: Optional[Callable[[float, float, float], float]] = None, **fields: Any) -> None:
        """What acts along a coordinate of a joint: an input of the model by its name, which runs set or control; a law,
        law(time, coordinate, speed) -> force [N] or torque [N.m]; spring, damper and stops by the fields ``stiffness``,
        ``rest``, ``damping``, ``lower``, ``upper``, ``stop_stiffness``, ``stop_damping``; ``coordinate`` 0, 1 or 2."""
        element = lib.rb_joint_element_default(joint.number, fields.pop("coordinate", 0))
        _fill(element, {**fields, "input": input})
        if law is not None:
            element.law = self._guarded(_abi.JointLaw, law, lambda f, t, x, v, _: float(f(t, x, v)))
        self._keep.append(element)
        self._do(lambda c, b: lib.rb_builder_add_joint_element(b, element))

    def spring(self, a: Object, b: Object, stiffness: float = 0, damping: float = 0, length: float = 0, *,
               spring: Optional[Callable[[float], float]] = None, damper: Optional[Callable[[float], float]] = None) -> None:  # fmt: skip
        """A spring [N/m] and damper [N.s/m] between the origins of two objects, relaxed at a length [m]; or laws of your own:
        tension [N] of the elongation [m], and of its rate [m/s]."""
        element = lib.rb_spring_element_default(a.number, b.number)
        _fill(element, {"stiffness": stiffness, "damping": damping, "length": length})
        for field, law in (("spring", spring), ("damper", damper)):
            if law is not None:
                setattr(element, field, self._guarded(_abi.Curve, law, lambda f, x, _: float(f(x))))
        self._keep.append(element)
        self._do(lambda c, b: lib.rb_builder_add_spring_element(b, element))

    def force(self, on: Object, function: Callable[[float], Any], axes: Object = WORLD) -> None:
        """A force at the origin of an object, in the axes of another one: function(time) -> force [N], or (force, torque [N.m])."""

        def call(f: Callable[[float], Any], time: float, _user: Any, force: Any, torque: Any) -> None:
            _store(f(time), force, torque)

        caller = self._guarded(_abi.ForceFunction, function, call)
        self._do(lambda c, b: lib.rb_builder_add_force(b, on.number, axes.number, caller, None))

    def force_law(self, on: Object, function: Callable[[float, Motion, Motion], Any], other: Object = WORLD) -> None:
        """A force on an object, in axes of the world: function(time, motion, motion of the other) -> force [N], or (force,
        torque [N.m]). The other object gets the opposite."""

        def call(f: Callable[[float, Motion, Motion], Any], time: float, a: Any, b: Any, _user: Any, force: Any, torque: Any) -> None:
            _store(f(time, _motion(a.contents), _motion(b.contents)), force, torque)

        caller = self._guarded(_abi.ForceLaw, function, call)
        self._do(lambda c, b: lib.rb_builder_add_force_law(b, on.number, other.number, caller, None))

    def _guarded(self, kind: Any, function: Callable[..., Any], call: Callable[..., Any]) -> Any:
        """A function of the user as C calls it. What it raises ends the run and is raised there; the force is NaN or zero."""
        nothing = None if kind._restype_ is None else float("nan")

        def called(*arguments: Any) -> Any:
            watch = current.watch or Watch()
            value = watch.protect(call, function, *arguments)
            return nothing if value is None else value

        caller = kind(called)
        self._keep.append(caller)
        return caller

    def breaks(self, times: Sequence[float], period: float = 0) -> None:
        """Times [s] at which forces or laws jump; again after each period [s] if one is given."""
        array = (ctypes.c_double * len(times))(*times)
        self._do(lambda c, b: lib.rb_builder_add_breaks(b, array, len(times), period))

    # ---- materials and contact

    def material(self, name: str, density: float, youngs_modulus: float, poissons_ratio: float) -> str:
        """A material of your own: [kg/m3], [Pa], 1. Returns its name."""
        text = encode(name)
        self._do(lambda c, b: lib.rb_builder_add_material(b, text, density, youngs_modulus, poissons_ratio))
        return name

    def read_materials(self, file: PathLike) -> None:
        """Add or override materials by a JSON file."""
        text = encode(file)
        self._do(lambda c, b: lib.rb_builder_read_materials(b, text))

    def pair(self, a: str, b: str, *, normal: Optional[str] = None, friction: Optional[str] = None,
             normal_force: Optional[Callable[[_abi.RbPress], float]] = None, **fields: Any) -> None:  # fmt: skip
        """What two materials do to each other: ``restitution``, ``mu_k`` (sliding), ``mu_s`` (static), ``mu_r`` (rolling), and the
        other constants of RbPairLaw. friction: "sliding", "static", "curve", "bristle" or "auto"; normal: "hertz" or
        "spring_damper"; or a function of your own, normal_force(press) -> [N], with press.depth, depth_rate, radius, modulus, mass.
        """
        law = lib.rb_pair_law_default()
        _fill(law, fields)
        if normal is not None:
            law.normal = _choice("NORMAL_", _abi.RbNormalLaw, normal)
        if friction is not None:
            law.friction = _choice("FRICTION_", _abi.RbFrictionLaw, friction)
        if normal_force is not None:
            law.normal = _abi.RbNormalLaw.NORMAL_FUNCTION
            law.normal_force = self._guarded(_abi.NormalForce, normal_force, lambda f, press, _: float(f(press.contents)))
        self._keep.append(law)
        names = encode(a), encode(b)
        self._do(lambda c, builder: lib.rb_builder_set_pair(builder, *names, law))

    def mesh_contact(self, a: Object, mesh_a: Solid, b: Object, mesh_b: Union[Solid, Vector], law: str = "bedding", **fields: Any) -> None:
        """Two objects touch as meshes, also concave ones: solids in the frames of the objects; for b also three semi-axes [m]
        of a ball or an ellipsoid. law: "bedding", "volume_area", "volume_depth", "volume_potential" or "layers".
        Fields: ``modulus``, ``length``, ``restitution``, ``damping``, ``mu_static``, ``mu_kinetic``, ``slip_speed``, ``sticks``, ``show``."""
        chosen = _choice("MESH_", _abi.RbMeshLaw, law)

        def apply(c: Context, builder: Any) -> int:
            second = mesh_b._in(c) if isinstance(mesh_b, Solid) else None
            contact = lib.rb_mesh_contact_default(a.number, mesh_a._in(c), b.number, second)
            contact.law = chosen
            _fill(contact, {**fields, "round_b": None if second else mesh_b})
            return lib.rb_builder_add_mesh_contact(builder, contact)

        self._do(apply)

    def record_contact(self, a: Object, b: Object) -> None:
        """Record the contact of two objects: contact(a,b).normal_force and so on become results."""
        self._do(lambda c, builder: lib.rb_builder_record_contact(builder, a.number, b.number))


def _motion(m: _abi.RbObjectMotion) -> Motion:
    return Motion(*(np.array(getattr(m, field)) for field in Motion._fields))


def _store(value: Any, force: Any, torque: Any) -> None:
    pair: Tuple[Any, Any] = value if np.ndim(value[0]) else (value, (0.0, 0.0, 0.0))
    for i in range(3):
        force[i], torque[i] = float(pair[0][i]), float(pair[1][i])
