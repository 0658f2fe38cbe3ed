// SPDX-License-Identifier: MIT
#include "collide/press_faces.h"

#include <math.h>

static const double
    level = 1,
    lifted = 2; // τ l/d: up to where the faces alone count, and from where on the rule does
static const double narrow = 0.15, broad = 0.3; // V²/(W A)
static const double pi = 3.14159265358979324;

typedef struct Face {
    Vec3 m;      // frame C
    double area; // [m²] 0: none
} Face;

static double polygon_area(const RbPolytope *t, int face) {
    const int *v = &t->face_vertices[t->face_start[face]];
    int count = t->face_start[face + 1] - t->face_start[face];
    Vec3 sum = V3_ZERO, from = t->vertices[v[0]];
    for (int k = 2; k < count; k++)
        sum = v3_add(
            sum, v3_cross(v3_sub(t->vertices[v[k - 1]], from), v3_sub(t->vertices[v[k]], from)));
    return 0.5 * v3_norm(sum);
}

enum { FACES_MAX = 8 };

// Of a body, that look towards the other one; at most so many.
typedef struct Faces {
    int count;
    Face face[FACES_MAX];
} Faces;

static void take(Faces *out, Vec3 m, double area, Vec3 n) {
    const double near = 0.95; // cosine
    if (out->count < FACES_MAX && v3_dot(m, n) > near && area > 0)
        out->face[out->count++] = (Face){m, area};
}

static void take_hull(const RbPolytope *t, Vec3 n, Faces *out) {
    const double near = 0.95;
    for (int f = 0; f < t->face_count; f++) {
        Vec3 m = t->face_normals[f];
        if (v3_dot(m, n) > near) take(out, m, polygon_area(t, f), n);
    }
}

static Faces faces_of(const RbCore *c, Vec3 n) {
    Faces out = {0};
    Vec3 h = c->h, x = {copysign(1, n.x), 0, 0}, y = {0, copysign(1, n.y), 0},
         z = {0, 0, copysign(1, n.z)};
    switch (c->kind) {
        case RB_CORE_HALFSPACE: take(&out, v3(0, 0, 1), INFINITY, n); break;
        case RB_CORE_POLYTOPE: take_hull(c->polytope, n, &out); break;
        case RB_CORE_CYLINDER: take(&out, z, pi * h.x * h.x, n); break;
        case RB_CORE_FRUSTUM: take(&out, z, pi * (n.z > 0 ? h.y * h.y : h.x * h.x), n); break;
        case RB_CORE_BOX:
            take(&out, x, 4 * h.y * h.z, n), take(&out, y, 4 * h.x * h.z, n);
            take(&out, z, 4 * h.x * h.y, n);
            break;
        case RB_CORE_BEAM:
            take(&out, z, (4 * h.x + pi * h.y) * h.y, n), take(&out, y, 4 * h.x * h.z, n);
            break;
        default: break;
    }
    return out;
}

static bool is_round(const RbCore *c) {
    return c->kind == RB_CORE_CYLINDER || c->kind == RB_CORE_FRUSTUM || c->kind == RB_CORE_BEAM;
}

void rb_find_facings(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap,
                     RbFacings *out) {
    const double most =
        1.2 * lifted; // the mean depth is hardly ever more than that of the closest points
    out->count = 0, out->size = fmin(a->size, b->size);
    if (is_round(a) && is_round(b)) return; // the rule is as good, and cheaper
    Mat3 R[2] = {a->frame.R, m3_mul(X_AB.R, b->frame.R)};
    Faces of_a = faces_of(a, m3_tmul_vec(R[0], gap->normal));
    if (of_a.count == 0) return;
    Faces of_b = faces_of(b, m3_tmul_vec(R[1], v3_neg(gap->normal)));
    for (int i = 0; i < of_a.count; i++) {
        Vec3 m = m3_mul_vec(R[0], of_a.face[i].m);
        for (int k = 0; k < of_b.count && out->count < RB_FACINGS_MAX; k++) {
            Vec3 o = m3_mul_vec(R[1], of_b.face[k].m);
            if (!(v3_norm(v3_cross(m, o)) * out->size < most * -gap->distance)) continue;
            double area = fmin(of_a.face[i].area, of_b.face[k].area);
            out->pair[out->count++] = (RbFacing){{m, o}, area};
        }
    }
}

// 0 below from, 1 beyond to; *rate by x.
static double ramp(double x, double from, double to, double *rate) {
    double y = fmin(1, fmax(0, (x - from) / (to - from)));
    *rate = 6 * y * (1 - y) / (to - from);
    return y * y * (3 - 2 * y);
}

static Wrench sum_of(Wrench a, double by_a, Wrench b, double by_b) {
    return (Wrench){v3_axpy(v3_scale(by_a, a.t), by_b, b.t),
                    v3_axpy(v3_scale(by_a, a.f), by_b, b.f)};
}

static double share_of(const RbFacing *pair, double size, const RbPatch *p, Wrench *slope) {
    const Vec3 *m = pair->m;
    Vec3 c = v3_cross(m[0], m[1]); // turns with B by (m_A·m_B) for c·c, twice
    double by_mean = size * p->volume / p->square, by_mean2 = by_mean * by_mean;
    double tilt2 = v3_norm2(c) * by_mean2, area = p->volume * p->volume / p->square / pair->area;
    double tilt_rate, area_rate;
    double s = 1 - ramp(tilt2, level * level, lifted * lifted, &tilt_rate);
    double a = ramp(area, narrow, broad, &area_rate);
    const Wrench *V = &p->volume_slope, *W = &p->square_slope;
    Wrench mean = sum_of(*V, 2 / p->volume, *W, -2 / p->square); // of log (V/W)²
    Wrench tilted = {v3_scale(2 * by_mean2 * v3_dot(m[0], m[1]), c), V3_ZERO};
    Wrench by_tilt = sum_of(mean, -a * tilt_rate * tilt2, tilted, -a * tilt_rate);
    Wrench wide = sum_of(*V, 2 / p->volume, *W, -1 / p->square);
    *slope = sum_of(by_tilt, 1, wide, s * area_rate * area);
    return s * a;
}

double rb_share_of_faces(const RbFacings *facings, const RbPatch *p, Wrench *slope) {
    double rest = 1;
    *slope = WRENCH_ZERO;
    if (!(p->volume > 0 && p->square > 0)) return 0;
    for (int i = 0; i < facings->count; i++) {
        Wrench by;
        double s = share_of(&facings->pair[i], facings->size, p, &by);
        *slope = sum_of(*slope, 1 - s, by, rest);
        rest *= 1 - s;
    }
    return 1 - rest;
}
