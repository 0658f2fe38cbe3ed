// SPDX-License-Identifier: MIT
#include "collide/point.h"

#include <float.h>

#include "collide/feature.h"

// --- outside: the projection and its piece
// ------------------------------------------------------------------------------

// A tie fixes part of the normal exactly; only what is left is taken from the difference, so that
// the normal stays exact when the point is close to the surface.
static Vec3 outward(const RbFeature *f, Vec3 p, Vec3 q) {
    Vec3 away = v3_sub(p, q);
    if (f->ties == 2) return f->tie;
    if (f->ties == 0) return v3_unit(away);
    Vec3 from = f->kind == RB_FEATURE_CIRCLE ? v3_sub(p, f->point) : away;
    Vec3 across = v3_unit(v3_axpy(from, -v3_dot(from, f->tie), f->tie));
    return v3_add(v3_scale(f->lean, f->tie), v3_scale(sqrt(1 - f->lean * f->lean), across));
}

// --- inside: the nearest face or side
// -------------------------------------------------------------------------------------

// Keeps the larger (less negative) of the signed distances from the surfaces.
static void closer(double *distance, Vec3 *normal, double d, Vec3 n) {
    if (d > *distance) *distance = d, *normal = n;
}

static Vec3 radial(Vec3 p) {
    return v3_unit_or(v3(p.x, p.y, 0), v3(1, 0, 0));
}

static double inside_frustum(Vec3 h, Vec3 p, Vec3 *normal) {
    double slant = sqrt(4 * h.z * h.z + (h.x - h.y) * (h.x - h.y));
    double cosine = 2 * h.z / slant, sine = (h.x - h.y) / slant;
    double s = sqrt(p.x * p.x + p.y * p.y), d = -INFINITY;
    Vec3 side = v3_add(v3_scale(cosine, radial(p)), v3(0, 0, sine));
    closer(&d, normal, cosine * (s - h.x) + sine * (p.z + h.z), side);
    closer(&d, normal, fabs(p.z) - h.z, v3(0, 0, copysign(1, p.z)));
    return d;
}

static double inside_beam(Vec3 h, Vec3 p, Vec3 *normal) {
    double x = p.x > h.x ? h.x : p.x < -h.x ? -h.x : p.x, d = -INFINITY;
    Vec3 away = v3(p.x - x, p.y, 0);
    closer(&d, normal, v3_norm(away) - h.y, v3_unit_or(away, v3(0, 1, 0)));
    closer(&d, normal, fabs(p.z) - h.z, v3(0, 0, copysign(1, p.z)));
    return d;
}

static double inside_polytope(const RbPolytope *t, Vec3 p, Vec3 *normal) {
    double d = -INFINITY;
    for (int f = 0; f < t->face_count; f++) {
        closer(&d, normal, v3_dot(t->face_normals[f], p) - t->face_offsets[f], t->face_normals[f]);
    }
    return d;
}

static double inside(const RbCore *core, Vec3 p, Vec3 *normal) {
    Vec3 h = core->h;
    double d = -INFINITY;
    switch (core->kind) {
        case RB_CORE_BOX:
            for (int i = 0; i < 3; i++) {
                double x = v3_get(p, i);
                closer(&d, normal, fabs(x) - v3_get(h, i), v3_scale(copysign(1, x), v3_axis(i)));
            }
            return d;
        case RB_CORE_CYLINDER:
            closer(&d, normal, sqrt(p.x * p.x + p.y * p.y) - h.x, radial(p));
            closer(&d, normal, fabs(p.z) - h.z, v3(0, 0, copysign(1, p.z)));
            return d;
        case RB_CORE_FRUSTUM: return inside_frustum(h, p, normal);
        case RB_CORE_BEAM: return inside_beam(h, p, normal);
        default: // on a point or segment: every direction across is as good
            *normal = v3(1, 0, 0);
            return 0.0;
    }
}

// The planes of the faces bound the distance from below and are exact over a face; the normal of a
// thin triangle of vertices, which the projection works with, is not.
static double polytope_point(const RbCore *core, Vec3 p, Vec3 *normal) {
    Vec3 q, n_face;
    RbFeature f;
    double d_face = inside_polytope(core->polytope, p, &n_face);
    bool outside = rb_core_project(core, p, &q, &f);
    double rounding = 16 * DBL_EPSILON * (v3_max_abs(p) + v3_max_abs(q)); // [m]
    if (!outside || v3_distance(p, q) - d_face <= rounding) {
        *normal = n_face;
        return d_face;
    }
    *normal = outward(&f, p, q);
    return v3_dot(*normal, v3_sub(p, q));
}

double rb_core_point(const RbCore *core, Vec3 p, Vec3 *normal) {
    if (core->kind == RB_CORE_ELLIPSOID) return rb_ellipsoid_point(core->h, p, normal);
    if (core->kind == RB_CORE_POLYTOPE) return polytope_point(core, p, normal);
    RbFeature f;
    Vec3 q;
    if (!rb_core_project(core, p, &q, &f)) return inside(core, p, normal);
    *normal = outward(&f, p, q);
    return v3_dot(*normal, v3_sub(p, q));
}

// --- ellipsoid
// ----------------------------------------------------------------------------------------------------------

// The foot x of p satisfies p - x = t x / h^2 (componentwise), so x_i = h_i^2 p_i / (t + h_i^2),
// and it lies on the surface if
//     G(u) = sum_i (r_i z_i / (u + r_i - 1))^2 - 1 = 0,   z = p / h,  r = (h / h_min)^2,  u = 1 + t
//     / h_min^2.
// The largest root, u >= 0, is the closest point. There G falls and is convex, so Newton's method
// from the left ends monotonically. Each single term is 1 at u = r_i z_i - (r_i - 1): the largest
// of these is the start.
static double ellipsoid_root(const double r[3], const double z[3]) {
    double u = 0;
    for (int i = 0; i < 3; i++) u = fmax(u, r[i] * z[i] - (r[i] - 1));
    for (int round = 0; round < 100; round++) {
        double value = -1, slope = 0;
        for (int i = 0; i < 3; i++) {
            double below = u + (r[i] - 1);
            if (!(below > 0)) continue; // only where z_i = 0 as well
            double q = r[i] * z[i] / below;
            value += q * q;
            slope += q * q / below;
        }
        if (!(value > 0) || !(slope > 0)) break;
        double next = u + 0.5 * value / slope;
        if (!(next > u)) break;
        u = next;
    }
    return u;
}

// p inside on the plane of symmetry across the shortest axis, so near it that the foot leaves the
// plane: u = 0.
static double lift(const double x[3], Vec3 h, int shortest) {
    double rest = 1;
    for (int i = 0; i < 3; i++) {
        double q = i == shortest ? 0 : x[i] / v3_get(h, i);
        rest -= q * q;
    }
    return v3_get(h, shortest) * sqrt(fmax(0.0, rest));
}

double rb_ellipsoid_point(Vec3 h, Vec3 p, Vec3 *normal) {
    double h_min = fmin(h.x, fmin(h.y, h.z));
    int shortest = h.x == h_min ? 0 : h.y == h_min ? 1 : 2;
    double r[3], z[3], x[3], n[3];
    for (int i = 0; i < 3; i++) {
        double ratio = v3_get(h, i) / h_min;
        r[i] = ratio * ratio;
        z[i] = fabs(v3_get(p, i)) / v3_get(h, i);
    }
    double u = ellipsoid_root(r, z), value = 0;
    for (int i = 0; i < 3; i++) {
        double below = u + (r[i] - 1);
        x[i] = below > 0 ? r[i] * fabs(v3_get(p, i)) / below : 0.0;
        double q = x[i] / v3_get(h, i);
        value += q * q;
    }
    if (value < 1 && !(u > 0)) x[shortest] = lift(x, h, shortest);
    for (int i = 0; i < 3; i++) {
        x[i] = copysign(x[i], v3_get(p, i));
        n[i] = x[i] * (h_min / v3_get(h, i)) / v3_get(h, i);
    }
    *normal = v3_unit_or(v3_load(n), v3_axis(shortest));
    return v3_dot(*normal, v3_sub(p, v3_load(x)));
}
