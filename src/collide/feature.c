// SPDX-License-Identifier: MIT
#include "collide/feature.h"

#include "collide/gjk.h"
#include "geom/support.h"

Vec3 rb_across(Vec3 e, Vec3 f) {
    Vec3 n = v3_unit(v3_cross(e, f));
    Vec3 g = v3_axpy(f, -v3_dot(e, f) / v3_norm2(e), e); // f across e
    if (!(v3_norm2(g) > 0)) return n;
    // The cross product is off by eps over the sine of their angle; scalar products know that to eps.
    n = v3_axpy(n, -v3_dot(n, e) / v3_norm2(e), e);
    n = v3_axpy(n, -v3_dot(n, g) / v3_norm2(g), g);
    return v3_unit(n);
}

// An ellipsoid is smooth: a ball of its smallest radius of curvature c^2/a rolls inside, so it is a
// convex body (its inner parallel body) plus that ball. One percent is left to keep the inner body
// smooth as well.
static double inset_of(const RbCore *core) {
    if (core->kind != RB_CORE_ELLIPSOID) return 0.0;
    Vec3 h = core->h;
    double c = h.x < h.y ? h.x : h.y, a = h.x < h.y ? h.y : h.x;
    c = h.z < c ? h.z : c;
    a = h.z > a ? h.z : a;
    return 0.99 * c * (c / a);
}

void rb_placed_at_home(RbPlaced *p, const RbCore *core) {
    p->core = core;
    p->at_home = true;
    p->vertex = 0;
    p->inset = inset_of(core);
}

void rb_placed_at(RbPlaced *p, const RbCore *core, const Pose *X) {
    rb_placed_at_home(p, core);
    p->at_home = false;
    p->X = *X;
}

Vec3 rb_placed_support(RbPlaced *p, Vec3 n) {
    Vec3 m = p->at_home ? n : m3_tmul_vec(p->X.R, n);
    Vec3 s = rb_core_support(p->core, m, &p->vertex);
    if (p->inset > 0) s = v3_axpy(s, -p->inset, m);
    return p->at_home ? s : pose_point(p->X, s);
}

// --- projections
// --------------------------------------------------------------------------------------------------------

// Setters of *f, which may be NULL where only the point is wanted.

static void vertex_at(RbFeature *f, Vec3 p) {
    if (!f) return;
    f->kind = RB_FEATURE_POINT, f->ties = 0;
    f->point = p;
}

static void edge_at(RbFeature *f, Vec3 p, Vec3 direction) {
    if (!f) return;
    f->kind = RB_FEATURE_POINT, f->ties = 1;
    f->point = p;
    f->tie = direction, f->lean = 0;
}

static void face_at(RbFeature *f, Vec3 p, Vec3 normal) {
    if (!f) return;
    f->kind = RB_FEATURE_POINT, f->ties = 2;
    f->point = p;
    f->tie = normal, f->lean = 0;
}

static void circle_at(RbFeature *f, Vec3 centre, double radius) {
    if (!f) return;
    f->kind = radius > 0 ? RB_FEATURE_CIRCLE : RB_FEATURE_POINT, f->ties = 0;
    f->point = centre;
    f->axis = v3(0, 0, 1), f->radius = radius;
}

// Side of a cylinder or cone: lean = axial component of its normal.
static void side_at(RbFeature *f, Vec3 centre, double radius, double lean) {
    if (!f) return;
    circle_at(f, centre, radius);
    f->ties = 1;
    f->tie = v3(0, 0, 1), f->lean = lean;
}

static double clamp(double x, double h) {
    return x > h ? h : x < -h ? -h : x;
}

// Number of clamped coordinates: 1 face, 2 edge, 3 vertex.
static bool project_box(Vec3 h, Vec3 p, Vec3 *q, RbFeature *f) {
    *q = v3(clamp(p.x, h.x), clamp(p.y, h.y), clamp(p.z, h.z));
    bool x = q->x != p.x, y = q->y != p.y, z = q->z != p.z;
    switch (x + y + z) {
        case 0: return false;
        case 1:
            face_at(
                f, *q,
                v3(x ? copysign(1, p.x) : 0, y ? copysign(1, p.y) : 0, z ? copysign(1, p.z) : 0));
            return true;
        case 2: edge_at(f, *q, v3(!x, !y, !z)); return true;
        default: vertex_at(f, *q); return true;
    }
}

static bool project_segment(Vec3 h, Vec3 p, Vec3 *q, RbFeature *f) {
    *q = v3(0, 0, clamp(p.z, h.z));
    if (q->z != p.z) {
        vertex_at(f, *q);
        return true;
    }
    edge_at(f, *q, v3(0, 0, 1));
    return p.x != 0 || p.y != 0;
}

static bool project_cylinder(Vec3 h, Vec3 p, Vec3 *q, RbFeature *f) {
    double s = sqrt(p.x * p.x + p.y * p.y), z = clamp(p.z, h.z);
    bool radial = s > h.x, axial = z != p.z;
    double k = radial ? h.x / s : 1.0;
    *q = v3(k * p.x, k * p.y, z);
    if (radial && axial)
        circle_at(f, v3(0, 0, z), h.x);
    else if (radial)
        side_at(f, V3_ZERO, h.x, 0.0);
    else if (axial)
        face_at(f, *q, v3(0, 0, copysign(1, p.z)));
    return radial || axial;
}

// In the half plane (s, z) of p the frustum is the quadrangle below; its outer corners are the
// rims, its slanted line the side.
//        (h.y, +h.z) ----.
//             |            \  normal (cosine, sine) = (2 h.z, h.x - h.y) / slant
//        (h.x, -h.z) -------
static bool project_frustum(Vec3 h, Vec3 p, Vec3 *q, RbFeature *f) {
    double s = sqrt(p.x * p.x + p.y * p.y);
    double slant = sqrt(4 * h.z * h.z + (h.x - h.y) * (h.x - h.y));
    double cosine = 2 * h.z / slant, sine = (h.x - h.y) / slant;
    // along the side from the bottom rim, and above it
    double along = -sine * (s - h.x) + cosine * (p.z + h.z);
    double above = cosine * (s - h.x) + sine * (p.z + h.z);
    double radius, z;
    if (p.z >= h.z && s <= h.y) {
        radius = s, z = h.z;
        face_at(f, v3(p.x, p.y, h.z), v3(0, 0, 1));
        if (p.z == h.z) return *q = p, false;
    } else if (p.z <= -h.z && s <= h.x) {
        radius = s, z = -h.z;
        face_at(f, v3(p.x, p.y, -h.z), v3(0, 0, -1));
        if (p.z == -h.z) return *q = p, false;
    } else if (above <= 0 && p.z < h.z && p.z > -h.z) {
        return *q = p, false;
    } else if (along >= slant) {
        radius = h.y, z = h.z;
        circle_at(f, v3(0, 0, h.z), h.y);
    } else if (along <= 0) {
        radius = h.x, z = -h.z;
        circle_at(f, v3(0, 0, -h.z), h.x);
    } else {
        radius = h.x - sine * along, z = -h.z + cosine * along;
        side_at(f, v3(0, 0, -h.z), h.x, sine);
    }
    double k = s > 0 ? radius / s : 0.0;
    *q = v3(k * p.x, k * p.y, z);
    return true;
}

static bool project_beam(Vec3 h, Vec3 p, Vec3 *q, RbFeature *f) {
    double z = clamp(p.z, h.z), x = clamp(p.x, h.x);
    Vec3 v = v3(p.x - x, p.y, 0);
    double s = v3_norm(v);
    bool out = s > h.y, axial = z != p.z, straight = x == p.x;
    double k = out ? h.y / s : 1.0;
    *q = v3(x + k * v.x, k * v.y, z);
    if (out && straight) q->y = copysign(h.y, p.y);
    if (out && axial)
        straight ? edge_at(f, *q, v3(1, 0, 0)) : circle_at(f, v3(x, 0, z), h.y);
    else if (out && straight)
        face_at(f, *q, v3(0, copysign(1, p.y), 0));
    else if (out)
        side_at(f, v3(x, 0, 0), h.y, 0.0);
    else if (axial)
        face_at(f, *q, v3(0, 0, copysign(1, p.z)));
    return out || axial;
}

// The piece that the vertices span: corner, edge, or face with the normal towards `outward`.
static void feature_of_vertices(const RbPolytope *t, const int v[3], int count, Vec3 outward,
                                RbFeature *f) {
    Vec3 a = t->vertices[v[0]];
    if (count == 1) {
        vertex_at(f, a);
        return;
    }
    Vec3 e = v3_sub(t->vertices[v[1]], a);
    if (count == 2) {
        edge_at(f, a, v3_unit(e));
        return;
    }
    Vec3 n = rb_across(e, v3_sub(t->vertices[v[2]], a));
    face_at(f, a, v3_dot(n, outward) < 0 ? v3_neg(n) : n);
}

static bool project_polytope(const RbPolytope *t, Vec3 p, Vec3 *q, RbFeature *f) {
    int vertices[3], count;
    if (!rb_polytope_project(t, p, q, vertices, &count)) return false;
    if (f) feature_of_vertices(t, vertices, count, v3_sub(p, *q), f);
    return true;
}

bool rb_core_project(const RbCore *core, Vec3 p, Vec3 *closest, RbFeature *feature) {
    switch (core->kind) {
        case RB_CORE_SEGMENT: return project_segment(core->h, p, closest, feature);
        case RB_CORE_BOX: return project_box(core->h, p, closest, feature);
        case RB_CORE_CYLINDER: return project_cylinder(core->h, p, closest, feature);
        case RB_CORE_FRUSTUM: return project_frustum(core->h, p, closest, feature);
        case RB_CORE_BEAM: return project_beam(core->h, p, closest, feature);
        case RB_CORE_POLYTOPE: return project_polytope(core->polytope, p, closest, feature);
        default:
            *closest = V3_ZERO;
            vertex_at(feature, V3_ZERO);
            return p.x != 0 || p.y != 0 || p.z != 0;
    }
}

static void move_to_query(const RbPlaced *p, RbFeature *f) {
    if (p->at_home) return;
    f->point = pose_point(p->X, f->point);
    if (f->kind == RB_FEATURE_CIRCLE) f->axis = m3_mul_vec(p->X.R, f->axis);
    if (f->ties) f->tie = m3_mul_vec(p->X.R, f->tie);
}

void rb_placed_vertices(const RbPlaced *p, const int *vertices, int count, Vec3 outward,
                        RbFeature *f) {
    int distinct[4], found = 0;
    for (int k = 0; k < count; k++) {
        bool known = false;
        for (int i = 0; i < found; i++) known = known || distinct[i] == vertices[k];
        if (!known) distinct[found++] = vertices[k];
    }
    Vec3 m = p->at_home ? outward : m3_tmul_vec(p->X.R, outward);
    feature_of_vertices(p->core->polytope, distinct, found > 3 ? 3 : found, m, f);
    move_to_query(p, f);
}

bool rb_placed_project(const RbPlaced *p, Vec3 point, Vec3 *closest, RbFeature *feature) {
    if (p->at_home) return rb_core_project(p->core, point, closest, feature);
    Vec3 q;
    if (!rb_core_project(p->core, pose_unpoint(p->X, point), &q, feature)) {
        *closest = point;
        return false;
    }
    *closest = pose_point(p->X, q);
    if (feature) move_to_query(p, feature);
    return true;
}
