// SPDX-License-Identifier: MIT
#include "rigid/object.h"

static RbStatus check_finite(const RbObject *o, Vec3 value, const char *what, const char *unit,
                             RbDiag *diag) {
    if (v3_finite(value)) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, o->at, "%s of '%s' is (%g, %g, %g) %s; it must be finite",
                   what, o->name, value.x, value.y, value.z, unit);
}

// Beyond the largest length, squares of components would not be numbers, or nothing could follow the motion.
static RbStatus check_length(const RbObject *o, Vec3 value, const char *what, const char *unit,
                             double largest, RbDiag *diag) {
    RB_TRY(check_finite(o, value, what, unit, diag));
    if (v3_max_abs(value) <= largest) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, o->at,
                   "%s of '%s' is (%g, %g, %g) %s; its components must lie between -%g and %g",
                   what, o->name, value.x, value.y, value.z, unit, largest, largest);
}

static RbStatus check_mass(const RbObject *o, RbDiag *diag) {
    const double least = 1e-60, most = 1e60; // [kg]
    double m = o->mass.mass;
    if (m == 0 && o->only_turns) return RB_OK;
    if (!(m > 0) || !isfinite(m))
        return rb_fail(diag, RB_ERROR_MODEL, o->at, "mass of '%s' is %g kg; it must be positive",
                       o->name, m);
    if (m >= least && m <= most) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, o->at,
                   "mass of '%s' is %g kg; it must lie between %g and %g: look at its size and "
                   "density",
                   o->name, m, least, most);
}

// Moments of inertia about principal axes: none negative, and no one larger than the other two
// together. A point mass or a thin rod (zeros) is fine as long as its joints can move it, which the
// tree checks.
static RbStatus check_inertia(const RbObject *o, RbDiag *diag) {
    const double rounding = 1e-12; // of the largest moment
    Sym3 s = s3_from_matrix(o->mass.I_CM);
    if (!isfinite(s3_trace(s)) || !isfinite(s.xy + s.xz + s.yz)) {
        return rb_fail(diag, RB_ERROR_MODEL, o->at,
                       "inertia tensor of '%s' has entries that are not finite", o->name);
    }
    Vec3 moments;
    Mat3 axes;
    m3_eigen(s3_matrix(s), &moments, &axes);
    double tol = rounding * v3_max_abs(moments);
    if (moments.x < -tol) {
        return rb_fail(diag, RB_ERROR_MODEL, o->at,
                       "inertia tensor of '%s' is not positive definite: its principal moments are "
                       "%g, %g and %g kg m2",
                       o->name, moments.x, moments.y, moments.z);
    }
    if (moments.z > moments.x + moments.y + tol && !o->ideal) {
        rb_warn(diag, o->at,
                "no body has the principal moments of inertia of '%s': %g kg m2 exceeds the sum of "
                "the others, %g and %g kg m2",
                o->name, moments.z, moments.x, moments.y);
    }
    return RB_OK;
}

RbStatus rb_object_check(const RbObject *o, RbDiag *diag) {
    RB_TRY(check_length(o, o->pose.r, "translation", "m", 1e100, diag));
    if (!v3_finite(o->pose.R.x) || !v3_finite(o->pose.R.y) || !v3_finite(o->pose.R.z)) {
        return rb_fail(diag, RB_ERROR_MODEL, o->at, "rotation of '%s' is not finite", o->name);
    }
    RB_TRY(check_length(o, o->velocity, "velocity", "m/s", 1e100, diag));
    RB_TRY(check_length(o, o->angular_velocity, "angular velocity", "rad/s", 1e12, diag));
    if (!o->has_mass) return RB_OK;
    RB_TRY(check_mass(o, diag));
    RB_TRY(check_finite(o, o->mass.r_CM, "centre of mass", "m", diag));
    return check_inertia(o, diag);
}

static RbStatus check_start(const RbObjectJoint *j, const double *values, int count,
                            const char *what, RbDiag *diag) {
    for (int i = 0; i < count; i++) {
        if (isfinite(values[i])) continue;
        return rb_fail(diag, RB_ERROR_INIT, j->at,
                       "start value of %s %d of joint '%s' is %g; it must be finite", what, i + 1,
                       j->name, values[i]);
    }
    return RB_OK;
}

// ORDER joint kinds
static const bool has_axis[RB_JOINT_KIND_COUNT] = {false, true, true,  true,
                                                   true,  true, false, false};

// The joint whose axes a hold has.
static RbJointKind kind_of_axes(const RbObjectJoint *j) {
    switch (j->hold.kind) {
        case RB_HOLD_LOCKS:
            return j->hold.turns == RB_JOINT_PRISMATIC ? RB_JOINT_SPHERICAL : j->hold.turns;
        case RB_HOLD_TIP: return RB_JOINT_REVOLUTE;
        case RB_HOLD_NONE:
        case RB_HOLD_DISTANCE:
        case RB_HOLD_BETWEEN:
        case RB_HOLD_WHEEL: return j->kind;
    }
    return j->kind;
}

static RbStatus check_hold(RbObjectJoint *j, RbDiag *diag) {
    const RbHold *h = &j->hold;
    if (h->kind == RB_HOLD_NONE || h->kind == RB_HOLD_LOCKS || h->kind == RB_HOLD_BETWEEN ||
        (h->measured && h->length == 0))
        return RB_OK;
    if (!(h->length > 0) || !isfinite(h->length))
        return rb_fail(diag, RB_ERROR_MODEL, j->at, "the %s of '%s' is %g m; it must be positive",
                       h->kind == RB_HOLD_WHEEL ? "radius" : "length of the rod", j->name,
                       h->length);
    if (h->kind == RB_HOLD_WHEEL) j->n2 = v3_unit(j->n2);
    return RB_OK;
}

static RbStatus check_axes(RbObjectJoint *j, RbDiag *diag) {
    Vec3 n = v3_unit(j->n);
    RbJointKind kind = kind_of_axes(j);
    if (!has_axis[kind]) return RB_OK;
    if (!(v3_norm(n) > 0)) {
        return rb_fail(diag, RB_ERROR_MODEL, j->at,
                       "axis of joint '%s' is (%g, %g, %g); it must have a direction", j->name,
                       j->n.x, j->n.y, j->n.z);
    }
    j->n = n;
    if (kind == RB_JOINT_PLANAR) {
        Vec3 in_plane = v3_axpy(j->n2, -v3_dot(j->n2, n), n);
        j->n2 = v3_unit_or(in_plane, v3_perpendicular(n));
    }
    if (kind == RB_JOINT_UNIVERSAL) {
        const double parallel = 1e-6; // [rad]
        j->n2 = v3_unit(j->n2);
        if (!(v3_norm(v3_cross(n, j->n2)) > parallel)) {
            return rb_fail(diag, RB_ERROR_MODEL, j->at,
                           "the two axes of the universal joint '%s' have the same direction; give "
                           "a second axis across the first",
                           j->name);
        }
    }
    return RB_OK;
}

// A quaternion of zeros stands for the identity; others are brought to length one.
static void unit_quaternion(double *q) {
    Quat value = q_load(q);
    q_store(q, q_norm2(value) > 0 ? q_unit(value) : Q_IDENTITY);
}

RbStatus rb_object_joint_check(RbObjectJoint *j, const RbObject *objects, RbDiag *diag) {
    RB_TRY(check_start(j, j->q, rb_joint_q_count(j->kind), "coordinate", diag));
    RB_TRY(check_start(j, j->v, rb_joint_v_count(j->kind), "speed", diag));
    if (j->kind == RB_JOINT_SPHERICAL) unit_quaternion(j->q);
    if (j->kind == RB_JOINT_FREE) unit_quaternion(j->q + 3);
    if (j->a == j->b) {
        return rb_fail(diag, RB_ERROR_MODEL, j->at, "%s'%s' connects '%s' with itself",
                       j->kind == RB_JOINT_FIXED ? "" : "joint ", j->name, objects[j->a].name);
    }
    RB_TRY(check_hold(j, diag));
    return check_axes(j, diag);
}
