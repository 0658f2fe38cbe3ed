// SPDX-License-Identifier: MIT
// How the mesh of a body of revolution stands, and how it moves.
#include "rigid/force_solids.h"

static const double NEARLY_OPPOSITE = 1e-12;

// The axis of b, and that of its reference.
typedef struct Axes {
    bool differ;
    Vec3 now, reference;
    double plus; // one and their cosine
} Axes;

static Axes axes_of(const RbSolidsForce *e, const RbSolidsPlace *p) {
    Axes a = {.now = m3_mul_vec(p->X.R, e->axis), .plus = 2};
    a.differ = q_norm2(p->reference) > 0;
    a.reference = a.differ ? q_rotate(p->reference, e->axis) : a.now;
    a.plus = fmax(NEARLY_OPPOSITE, 1 + v3_dot(a.now, a.reference));
    return a;
}

static bool revolves(const RbSolidsForce *e) {
    return v3_norm2(e->axis) > 0;
}

// The least turn from r to a has the quaternion (1 + r·a, r × a). When a turns with w, what it turns goes along across a, and about a with
// -w·(r - (r·a) a)/(1 + r·a): so it lacks w·(a + r)/(1 + r·a) there.
Pose rb_solids_mesh(const RbSolidsForce *e, const RbSolidsPlace *p, RbVolumeAxis *axis) {
    if (axis) *axis = (RbVolumeAxis){.point = p->X.r};
    if (!revolves(e)) return p->X;
    Axes a = axes_of(e, p);
    if (axis) {
        axis->direction = a.now;
        axis->share = v3_scale(1 / a.plus, v3_add(a.now, a.reference));
    }
    if (!a.differ) return p->X;
    Vec3 across = v3_cross(a.reference, a.now);
    Quat turn = q_unit((Quat){a.plus, across.x, across.y, across.z});
    return (Pose){p->X.r, q_matrix(q_mul(turn, p->reference))};
}

bool rb_solids_turned(const RbSolidsForce *e, const RbSolidsPlace *p) {
    const double most = 0.5; // cosine
    return revolves(e) && axes_of(e, p).plus < 1 + most;
}

Motion rb_solids_surface_motion(const RbSolidsForce *e, const RbSolidsPlace *p) {
    RbVolumeMotion motion = p->motion;
    rb_solids_mesh(e, p, &motion.axis);
    return rb_volume_surface_motion(&motion);
}
