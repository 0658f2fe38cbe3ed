// SPDX-License-Identifier: MIT
#include "contact/unrolled.h"

typedef struct Axis {
    bool exists;
    Vec3 point, direction;
} Axis;

static Axis axis_of(const RbElement *e, const Pose *X) {
    RbCoreKind kind = e->core->kind;
    bool round = kind == RB_CORE_SEGMENT || kind == RB_CORE_CYLINDER || kind == RB_CORE_FRUSTUM;
    if (!round) return (Axis){0};
    Pose X_WC = pose_mul(*X, e->X_BC);
    return (Axis){true, X_WC.r, m3_column(X_WC.R, 2)};
}

static Motion without(Motion motion, const Axis *axis, double spin, Vec3 about) {
    Vec3 w = v3_scale(spin, axis->direction);
    return (Motion){v3_sub(motion.w, w), v3_sub(motion.v, v3_cross(w, v3_sub(about, axis->point)))};
}

// Of parallel axes each takes half of the turn: that a body turns about its own is the same as that the
// other one is turned about it. What is added to the diagonal makes this so without a case of its own.
Motion rb_unrolled(const RbElement *a, const RbElement *b, const Pose *X_a, const Pose *X_b,
                   Vec3 about, Motion motion) {
    const double diagonal = 1.001;
    Axis one = axis_of(a, X_a), two = axis_of(b, X_b);
    double spin_1 = one.exists ? v3_dot(motion.w, one.direction) : 0;
    double spin_2 = two.exists ? v3_dot(motion.w, two.direction) : 0;
    if (one.exists && two.exists) {
        double cosine = v3_dot(one.direction, two.direction), first = spin_1;
        double determinant = diagonal * diagonal - cosine * cosine;
        spin_1 = (diagonal * first - cosine * spin_2) / determinant;
        spin_2 = (diagonal * spin_2 - cosine * first) / determinant;
    }
    if (one.exists) motion = without(motion, &one, spin_1, about);
    return two.exists ? without(motion, &two, spin_2, about) : motion;
}
