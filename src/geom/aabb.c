// SPDX-License-Identifier: MIT
#include "geom/aabb.h"

#include "geom/support.h"

// How far a core reaches along a direction n given in frame C, and against it: largest and smallest
// n . x. The support values are written out so that nothing is normalised (docs/theory/shapes.md,
// section 4).
typedef struct Reach {
    double low, high;
} Reach;

static Reach symmetric(double h) {
    return (Reach){-h, h};
}

static Reach frustum_reach(Vec3 h, Vec3 n) {
    double radial = sqrt(n.x * n.x + n.y * n.y);
    double base = -h.z * n.z, top = h.z * n.z;
    return (Reach){fmin(base - h.x * radial, top - h.y * radial),
                   fmax(base + h.x * radial, top + h.y * radial)};
}

static Reach polytope_reach(const RbPolytope *p, Vec3 n) {
    int high = rb_polytope_support(p, n, 0), low = rb_polytope_support(p, v3_neg(n), high);
    return (Reach){v3_dot(n, p->vertices[low]), v3_dot(n, p->vertices[high])};
}

static Reach halfspace_reach(Vec3 n) {
    bool along = n.x == 0 && n.y == 0;
    return (Reach){along && n.z < 0 ? 0 : -INFINITY, along && n.z > 0 ? 0 : INFINITY};
}

static Reach core_reach(const RbCore *core, Vec3 n) {
    Vec3 h = core->h, a = v3_abs(n);
    switch (core->kind) {
        case RB_CORE_SEGMENT: return symmetric(a.z * h.z);
        case RB_CORE_BOX: return symmetric(v3_dot(a, h));
        case RB_CORE_CYLINDER: return symmetric(a.z * h.z + h.x * sqrt(n.x * n.x + n.y * n.y));
        case RB_CORE_FRUSTUM: return frustum_reach(h, n);
        case RB_CORE_BEAM:
            return symmetric(a.x * h.x + h.y * sqrt(n.x * n.x + n.y * n.y) + a.z * h.z);
        case RB_CORE_ELLIPSOID: return symmetric(v3_norm(v3_mul(h, n)));
        case RB_CORE_POLYTOPE: return polytope_reach(core->polytope, n);
        case RB_CORE_HALFSPACE: return halfspace_reach(n);
        case RB_CORE_POINT:
        case RB_CORE_KIND_COUNT: break;
    }
    return symmetric(0);
}

RbAabb rb_aabb_of_core(const RbCore *core, Pose X_WS) {
    Pose X = pose_mul(X_WS, core->frame);
    Reach x = core_reach(core, X.R.x), y = core_reach(core, X.R.y), z = core_reach(core, X.R.z);
    RbAabb box = {v3_add(X.r, v3(x.low, y.low, z.low)), v3_add(X.r, v3(x.high, y.high, z.high))};
    return rb_aabb_grow(box, core->radius);
}
