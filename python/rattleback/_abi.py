# SPDX-License-Identifier: MIT
"""The C interface as ctypes sees it: structures, enumerations, functions.

Mirrors ``include/rattleback/*.h``. ``tests/python/test_abi.py`` compiles a C program against the headers and compares
every size, offset, constant and prototype of this file with it.
"""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure, c_bool, c_char_p, c_double, c_int, c_long, c_size_t, c_ubyte, c_ulonglong, c_void_p
from enum import IntEnum

S, I, D, B, Z, P = c_char_p, c_int, c_double, c_bool, c_size_t, c_void_p
D3, D4, D6, D9 = D * 3, D * 4, D * 6, D * 9


# ---- enumerations: names as in C without RB_ ----------------------------------------------------


class RbStatus(IntEnum):
    OK = 0
    ERROR_MODEL = 1
    ERROR_USAGE = 2
    ERROR_INIT = 3
    ERROR_SOLVER = 4
    ERROR_ASSERTION = 5
    ERROR_IO = 6
    ERROR_MEMORY = 7
    ERROR_INTERNAL = 8
    INTERRUPTED = 130


class RbSeverity(IntEnum):
    NOTE = 0
    WARNING = 1
    ERROR = 2


class RbModelKind(IntEnum):
    MODEL_PARAMETER = 0
    MODEL_INPUT = 1
    MODEL_STATE = 2


class RbOptimize(IntEnum):
    OPTIMIZE_NEVER = 0
    OPTIMIZE_AUTO = 1
    OPTIMIZE_ALWAYS = 2


class RbUntil(IntEnum):
    UNTIL_TIME = 0
    UNTIL_STEP = 1
    UNTIL_EVENT = 2


class RbRunKind(IntEnum):
    RUN_STATE = 0
    RUN_DERIVATIVE = 1
    RUN_QUADRATURE = 2
    RUN_DISCRETE = 3
    RUN_RESULT = 4
    RUN_INPUT = 5
    RUN_PARAMETER = 6


class RbEnding(IntEnum):
    ENDING_COMPLETE = 0
    ENDING_INCOMPLETE = 1
    ENDING_UNKNOWN = 2


class RbSeriesKind(IntEnum):
    SERIES_CONTINUOUS = 0
    SERIES_DISCRETE = 1
    SERIES_PARAMETER = 2


class RbSolidKind(IntEnum):
    SOLID_SPHERE = 0
    SOLID_ELLIPSOID = 1
    SOLID_BOX = 2
    SOLID_CYLINDER = 3
    SOLID_CONE = 4
    SOLID_CAPSULE = 5
    SOLID_BEAM = 6
    SOLID_HALFSPACE = 7
    SOLID_HULL = 8
    SOLID_PARTS = 9
    SOLID_MESH = 10


class RbSceneJointKind(IntEnum):
    SCENE_REVOLUTE = 0
    SCENE_PRISMATIC = 1
    SCENE_CYLINDRICAL = 2
    SCENE_PLANAR = 3
    SCENE_UNIVERSAL = 4
    SCENE_SPHERICAL = 5


class RbResponse(IntEnum):
    RESPONSE_ELASTIC = 0
    RESPONSE_OBSERVER = 1
    RESPONSE_NONE = 2


class RbNormalLaw(IntEnum):
    NORMAL_HERTZ = 0
    NORMAL_SPRING_DAMPER = 1
    NORMAL_USER = 2
    NORMAL_FUNCTION = 3


class RbFrictionLaw(IntEnum):
    FRICTION_SLIDING = 0
    FRICTION_STATIC = 1
    FRICTION_CURVE = 2
    FRICTION_BRISTLE = 3
    FRICTION_AUTO = 4


class RbFaceLaw(IntEnum):
    FACES_PATCH = 0
    FACES_POINT = 1


class RbMeshLaw(IntEnum):
    MESH_VOLUME_AREA = 0
    MESH_VOLUME_DEPTH = 1
    MESH_VOLUME_POTENTIAL = 2
    MESH_BEDDING = 3
    MESH_LAYERS = 4


class RbWorkpieceOperation(IntEnum):
    WORKPIECE_UNION = 0
    WORKPIECE_DIFFERENCE = 1
    WORKPIECE_INTERSECTION = 2


# ---- structures ---------------------------------------------------------------------------------


class RbPos(Structure):
    _fields_ = [("file", S), ("line", I), ("column", I)]


class RbMessage(Structure):
    _fields_ = [("severity", I), ("status", I), ("at", RbPos), ("text", S)]


class RbModelInfo(Structure):
    _fields_ = [
        ("name", S), ("description", S),
        ("start_time", D), ("stop_time", D), ("tolerance", D), ("output_interval", D),
        ("equations", I), ("variables", I), ("equations_left", I), ("states", I), ("indicators", I),
        ("residual_systems", I), ("residual_unknowns", I), ("residual_largest", I), ("bodies", B),
    ]  # fmt: skip


class RbModelVariable(Structure):
    _fields_ = [("kind", I), ("component", I), ("name", S), ("value", S), ("unit", S), ("description", S), ("structural", B),
                ("type", I), ("min", D), ("max", D), ("choices", POINTER(S)), ("choice_count", I)]  # fmt: skip


class RbModelComponent(Structure):
    _fields_ = [("name", S), ("type", S), ("description", S)]


class RbModelica(Structure):
    _fields_ = [
        ("file", S), ("text", S), ("class_name", S), ("libraries", POINTER(S)), ("input_file", S),
        ("optimize", I), ("residual_systems", I), ("no_external", B), ("multibody_engine", B), ("strict_units", B),
        ("translation_memory", D), ("translation_seconds", D),
    ]  # fmt: skip


class RbProgress(Structure):
    _fields_ = [
        ("time", D), ("start_time", D), ("stop_time", D), ("steps", c_long), ("events", c_long), ("segments", I),
        ("elapsed", D), ("particles", c_long), ("particle_steps", c_long), ("molecules", c_long),
    ]  # fmt: skip


class RbEventNews(Structure):
    _fields_ = [("time", D), ("state_event", B), ("time_event", B), ("indicator", S)]


class RbParticleEngine(Structure):
    _fields_ = [("name", S), ("folder", S), ("ranks", I)]


ProgressFunction = CFUNCTYPE(None, P, POINTER(RbProgress))
EventFunction = CFUNCTYPE(None, P, POINTER(RbEventNews))
InputFunction = CFUNCTYPE(None, P, D, P, P)


class RbSimOptions(Structure):
    _fields_ = [
        ("start_time", D), ("stop_time", D), ("tolerance", D), ("output_interval", D), ("max_step", D), ("initial_step", D),
        ("solver", S), ("journal_file", S), ("variable_filter", S), ("checkpoint_interval", D), ("checkpoint_file", S),
        ("resume_file", S), ("threads", I), ("engine", RbParticleEngine), ("particle_files", S), ("particle_results", S),
        ("particle_interval", D), ("max_event_iterations", I), ("interrupt", POINTER(I)), ("checkpoint_request", POINTER(I)),
        ("progress", ProgressFunction), ("progress_user", P), ("event", EventFunction), ("event_user", P),
        ("event_rows", S),
    ]  # fmt: skip


class RbSummary(Structure):
    _fields_ = [
        ("time", D), ("complete", B), ("steps", c_long), ("evaluations", c_long), ("jacobians", c_long),
        ("error_test_failures", c_long), ("nonlinear_failures", c_long), ("state_events", c_long), ("time_events", c_long),
        ("restarts", c_long), ("segments", I), ("solver", S), ("states", I), ("residual_states", I), ("rows", c_long),
        ("checkpoints", c_long), ("wall_time", D), ("cpu_time", D), ("state_hash", c_ulonglong), ("solver_hash", c_ulonglong),
        ("allocations", c_long), ("library_bytes", Z), ("peak_bytes", Z), ("changed_sizes", S), ("particles", c_long),
        ("particle_steps", c_long), ("particles_refused", c_long),
    ]  # fmt: skip


class RbResultsInfo(Structure):
    _fields_ = [("model", S), ("rows", Z), ("variables", I), ("segments", I), ("ending", I), ("reason", S)]


class RbSegmentInfo(Structure):
    _fields_ = [("time", D), ("cause", S), ("states", I), ("steps", D), ("events", D)]


class RbSeries(Structure):
    _fields_ = [("name", S), ("unit", S), ("description", S), ("kind", I)]


class RbViewOptions(Structure):
    _fields_ = [
        ("title", S), ("variables", S), ("plots", POINTER(S)), ("plot_count", I), ("picture_size", D), ("model_file", S),
        ("run", POINTER(RbSummary)), ("chapters", P), ("chapter_count", I),
    ]  # fmt: skip


class RbPlot(Structure):
    _fields_ = [
        ("variables", POINTER(S)), ("variable_count", I), ("title", S), ("start_time", D), ("stop_time", D), ("phase", B),
        ("compare_with", S), ("others", POINTER(S)), ("other_count", I), ("events", B), ("dark", B),
    ]  # fmt: skip


class RbStopped(Structure):
    _fields_ = [("time", D), ("event", B), ("new_states", B), ("finished", B)]


class RbRunVariable(Structure):
    _fields_ = [("name", S), ("unit", S), ("description", S), ("kind", I), ("there", B)]


class RbRunSizes(Structure):
    _fields_ = [("states", I), ("quadratures", I), ("indicators", I), ("inputs", I)]


class RbLinearSystem(Structure):
    _fields_ = [("inputs", P), ("outputs", P), ("input_count", I), ("output_count", I), ("A", P), ("B", P), ("C", P), ("D", P)]


class RbRestFound(Structure):
    _fields_ = [("iterations", I), ("rate", D)]


class RbObjectMotion(Structure):
    _fields_ = [("position", D3), ("rotation", D4), ("velocity", D3), ("angular_velocity", D3)]


class RbRunContact(Structure):
    _fields_ = [
        ("a", I), ("b", I), ("point", D3), ("normal", D3), ("depth", D), ("depth_rate", D), ("slip", D3), ("normal_force", D),
        ("friction", D3), ("force", D3), ("torque", D3),
    ]  # fmt: skip


class RbRunEnergy(Structure):
    _fields_ = [("kinetic", D), ("potential", D), ("elastic", D), ("residual", D)]


Colour = c_ubyte * 4  # red, green, blue, opacity


class RbSolid(Structure):
    _fields_ = [
        ("name", S), ("kind", I), ("lengths", D3), ("axis", I), ("diameter", D), ("length", D), ("top_diameter", D),
        ("width", D), ("thickness", D), ("inner_diameter", D), ("smoothing", D), ("points", POINTER(D)), ("point_count", I),
        ("radius", D), ("part_counts", POINTER(I)), ("part_count", I), ("mesh_file", S), ("mesh_scale", D), ("mesh_parts", B),
        ("material", S), ("contact_material", S), ("mass", D), ("has_inertia", B), ("centre", D3), ("inertia", D6),
        ("parent", I), ("free", B), ("held_by_joint", B), ("no_contact", B), ("position", D3), ("rotation", D4),
        ("velocity", D3), ("angular_velocity", D3), ("colour", Colour),
    ]  # fmt: skip


class RbSceneJoint(Structure):
    _fields_ = [
        ("name", S), ("kind", I), ("a", I), ("b", I), ("axis", D3), ("axis2", D3), ("start", D3), ("speed", D3),
        ("rotation", D4), ("can_collide", B),
    ]  # fmt: skip


Curve = CFUNCTYPE(D, D, P)
JointLaw = CFUNCTYPE(D, D, D, D, P)
ForceFunction = CFUNCTYPE(None, D, P, POINTER(D), POINTER(D))
ForceLaw = CFUNCTYPE(None, D, POINTER(RbObjectMotion), POINTER(RbObjectMotion), P, POINTER(D), POINTER(D))


class RbPress(Structure):
    _fields_ = [("depth", D), ("depth_rate", D), ("radius", D), ("modulus", D), ("mass", D)]


NormalForce = CFUNCTYPE(D, POINTER(RbPress), P)


class RbPairLaw(Structure):
    _fields_ = [
        ("response", I), ("alarm", B), ("normal", I), ("friction", I), ("damping", I), ("faces", I), ("restitution", D),
        ("mu_k", D), ("mu_s", D), ("mu_r", D), ("twist", D), ("v_small", D), ("w_small", D), ("v_static", D),
        ("stiffness", D), ("exponent", D), ("damper", D), ("max_friction", D), ("bristle_length", D), ("bristle_time", D),
        ("user_law", P), ("normal_force", NormalForce), ("user", P),
    ]  # fmt: skip


class RbSpringElement(Structure):
    _fields_ = [
        ("a", I), ("b", I), ("length", D), ("stiffness", D), ("damping", D), ("spring", Curve), ("damper", Curve), ("user", P),
    ]  # fmt: skip


class RbJointElement(Structure):
    _fields_ = [
        ("joint", I), ("coordinate", I), ("stiffness", D), ("rest", D), ("damping", D), ("lower", D), ("upper", D),
        ("stop_stiffness", D), ("stop_damping", D), ("law", JointLaw), ("user", P), ("input", S),
    ]  # fmt: skip


class RbMeshContact(Structure):
    _fields_ = [
        ("a", I), ("b", I), ("mesh_a", P), ("mesh_b", P), ("round_b", D3), ("law", I), ("modulus", D), ("length", D),
        ("poisson", D), ("restitution", D), ("damping", D), ("mu_static", D), ("mu_kinetic", D), ("slip_speed", D),
        ("sticks", B), ("show", B),
    ]  # fmt: skip


class RbWorkpiecePolygon(Structure):
    _fields_ = [("points", POINTER(D)), ("loops", POINTER(I)), ("loop_count", I)]


class RbWorkpieceProperties(Structure):
    _fields_ = [("volume", D), ("area", D), ("centroid", D3), ("inertia", D9), ("vertices", I), ("triangles", I), ("components", I)]


# ---- functions: result, arguments ---------------------------------------------------------------

FUNCTIONS = {
    # base.h
    "rb_version": (S,),
    # context.h
    "rb_context_create": (P, P),
    "rb_context_free": (None, P),
    "rb_context_message_count": (I, P),
    "rb_context_message": (S, P, I),
    "rb_context_message_data": (I, P, I, POINTER(RbMessage)),
    # model.h
    "rb_model_set_array": (I, P, S, I, P, P),
    "rb_model_set_text": (I, P, S, S),
    "rb_example": (B, I, POINTER(S), POINTER(S)),
    "rb_example_open": (I, P, S, POINTER(P)),
    "rb_model_info": (RbModelInfo, P),
    "rb_model_variables": (I, P, POINTER(POINTER(RbModelVariable)), POINTER(I)),
    "rb_model_components": (I, P, POINTER(POINTER(RbModelComponent)), POINTER(I)),
    "rb_model_system": (I, P, POINTER(S)),
    # modelica.h
    "rb_modelica_default": (RbModelica,),
    "rb_modelica_translate": (I, P, POINTER(RbModelica), POINTER(P)),
    # soft.h
    "rb_soft_open": (I, P, S, POINTER(P)),
    # sim.h
    "rb_model_options": (RbSimOptions, P),
    "rb_simulate": (I, P, P, POINTER(RbSimOptions), POINTER(RbSummary)),
    # result.h
    "rb_results_open": (I, P, S, POINTER(P)),
    "rb_results_info": (RbResultsInfo, P),
    "rb_results_figure": (B, P, I, POINTER(S), POINTER(D)),
    "rb_results_segment": (B, P, I, POINTER(RbSegmentInfo)),
    "rb_results_variable": (I, P, I, POINTER(RbSeries)),
    "rb_results_times": (I, P, P),
    "rb_results_values": (I, P, I, P),
    "rb_results_write": (I, P, S),
    # view.h, plot.h
    "rb_view": (I, P, S, S, POINTER(RbViewOptions)),
    "rb_report": (I, P, S, S, POINTER(RbViewOptions)),
    "rb_export": (I, P, S, S, D),
    "rb_plot_default": (RbPlot,),
    "rb_plot_write": (I, P, S, POINTER(RbPlot), S),
    # run.h
    "rb_run_open": (I, P, P, POINTER(RbSimOptions), POINTER(P)),
    "rb_run_close": (I, P, POINTER(RbSummary)),
    "rb_run_step": (I, P, I, D, P),
    "rb_run_time": (D, P),
    "rb_run_finished": (B, P),
    "rb_run_summary": (I, P, POINTER(RbSummary)),
    "rb_run_count": (I, P),
    "rb_run_find": (I, P, S),
    "rb_run_variable": (I, P, I, POINTER(RbRunVariable)),
    "rb_run_get": (I, P, P, I, P),
    "rb_run_set": (I, P, P, I, P),
    "rb_run_set_tolerance": (I, P, D),
    "rb_run_sizes": (RbRunSizes, P),
    "rb_run_state": (I, P, I),
    "rb_run_input": (I, P, I),
    "rb_run_states": (I, P, P),
    "rb_run_set_states": (I, P, P),
    "rb_run_derivatives": (I, P, P, P),
    "rb_run_indicators": (I, P, P, P),
    "rb_run_jacobian": (I, P, P),
    "rb_run_indicator_name": (S, P, I),
    "rb_run_set_input_function": (I, P, InputFunction, P),
    "rb_run_save": (I, P, POINTER(P)),
    "rb_saved_bytes": (P, P, POINTER(Z)),
    "rb_run_restore_bytes": (I, P, P, Z),
    # linear.h
    "rb_run_linearize": (I, P, POINTER(RbLinearSystem)),
    "rb_linear_modes": (I, P, I, P, P, P, P),
    "rb_linear_shapes": (I, P, I, P, P, P),
    "rb_linear_response": (I, P, I, POINTER(RbLinearSystem), D, P, P),
    "rb_run_find_rest": (I, P, D, POINTER(RbRestFound)),
    # scene.h
    "rb_builder_create": (I, P, S, POINTER(P)),
    "rb_scene_example": (B, I, POINTER(S), POINTER(S)),
    "rb_builder_open": (I, P, S, POINTER(P)),
    "rb_builder_describe": (I, P, POINTER(S)),
    "rb_builder_material": (S, P, I),
    "rb_builder_read_materials": (I, P, S),
    "rb_builder_up": (I, P, P),
    "rb_builder_gravity": (I, P, P),
    "rb_builder_steady_start": (I, P, B),
    "rb_solid_default": (RbSolid, S, I, S),
    "rb_builder_add_solid": (I, P, POINTER(RbSolid), POINTER(I)),
    "rb_builder_add_mass": (I, P, S, I, P, D, P, P, POINTER(I)),
    "rb_builder_add_frame": (I, P, S, I, P, P, POINTER(I)),
    "rb_scene_joint_default": (RbSceneJoint, S, I, I, I),
    "rb_builder_add_joint": (I, P, POINTER(RbSceneJoint), POINTER(I)),
    "rb_spring_element_default": (RbSpringElement, I, I),
    "rb_builder_add_spring_element": (I, P, POINTER(RbSpringElement)),
    "rb_joint_element_default": (RbJointElement, I, I),
    "rb_builder_add_joint_element": (I, P, POINTER(RbJointElement)),
    "rb_builder_add_force": (I, P, I, I, ForceFunction, P),
    "rb_builder_add_breaks": (I, P, P, I, D),
    "rb_builder_add_force_law": (I, P, I, I, ForceLaw, P),
    "rb_builder_add_material": (I, P, S, D, D, D),
    "rb_pair_law_default": (RbPairLaw,),
    "rb_builder_set_pair": (I, P, S, S, POINTER(RbPairLaw)),
    "rb_mesh_contact_default": (RbMeshContact, I, P, I, P),
    "rb_builder_add_mesh_contact": (I, P, POINTER(RbMeshContact)),
    "rb_builder_record_contact": (I, P, I, I),
    "rb_builder_finish": (I, P, POINTER(P)),
    "rb_run_motion": (I, P, I, POINTER(RbObjectMotion)),
    "rb_run_momentum": (I, P, P, P),
    "rb_run_object": (I, P, S),
    "rb_run_object_name": (S, P, I),
    "rb_run_pull": (I, P, I, P, P, D, D),
    "rb_run_contacts": (I, P, POINTER(POINTER(RbRunContact)), POINTER(I)),
    "rb_run_energy": (I, P, POINTER(RbRunEnergy)),
    # solid.h
    "rb_workpiece_box": (I, P, P, POINTER(P)),
    "rb_workpiece_cone": (I, P, D, D, D, I, POINTER(P)),
    "rb_workpiece_sphere": (I, P, D, I, POINTER(P)),
    "rb_workpiece_torus": (I, P, D, D, I, POINTER(P)),
    "rb_workpiece_extrude": (I, P, POINTER(RbWorkpiecePolygon), D, POINTER(P)),
    "rb_workpiece_lathe": (I, P, POINTER(RbWorkpiecePolygon), I, POINTER(P)),
    "rb_workpiece_read": (I, P, S, D, POINTER(P)),
    "rb_workpiece_write": (I, P, S),
    "rb_workpiece_combine": (I, I, P, P, POINTER(P)),
    "rb_workpiece_map": (I, P, P, P, POINTER(P)),
    "rb_workpiece_simplify": (I, P, D, POINTER(P)),
    "rb_workpiece_refine": (I, P, D, POINTER(P)),
    "rb_workpiece_properties": (I, P, POINTER(RbWorkpieceProperties)),
    "rb_workpiece_mesh": (None, P, POINTER(POINTER(D)), POINTER(I), POINTER(POINTER(I)), POINTER(I)),
}  # fmt: skip
