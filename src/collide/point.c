// SPDX-License-Identifier: MIT
#include "collide/point.h"

#include <float.h>

#include "collide/feature.h"

// Each form gives the distance from the piece of the surface that is nearest, outside and inside,
// and its normal. What the piece fixes of the normal (a face: all, an edge: the part along it) is
// exact; only the rest is taken from differences of coordinates, so that the normal stays exact
// when the point is close to the surface.

// [m^2] A squared distance below it counts as none: its root would have lost digits.
static const double nothing = 1e-280;

static double clamp(double x, double h) {
    return x > h ? h : x < -h ? -h : x;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

// Distance from the z axis.
static double axis_distance(Vec3 p) {
    double s2 = p.x * p.x + p.y * p.y;
    return s2 > nothing ? sqrt(s2) : 0.0;
}

static double point_point(Vec3 p, Vec3 *normal) {
    double d2 = v3_norm2(p);
    if (!(d2 > nothing)) {
        *normal = v3_unit_or(p, v3(1, 0, 0)); // every direction is as good
        return 0.0;
    }
    double d = sqrt(d2);
    *normal = v3_scale(1 / d, p);
    return d;
}

// --- box
// ------------------------------------------------------------------------------------------------

// The nearest face; every plane bounds the distance from below.
static double inside_box(Vec3 p, Vec3 d, Vec3 *normal) {
    int axis = d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
    *normal = v3_scale(copysign(1, v3_get(p, axis)), v3_axis(axis));
    return v3_get(d, axis);
}

static double box_point(Vec3 h, Vec3 p, Vec3 *normal) {
    Vec3 d = v3_sub(v3_abs(p), h);
    Vec3 out = v3(larger(d.x, 0), larger(d.y, 0), larger(d.z, 0));
    double d2 = v3_norm2(out);
    if (!(d2 > nothing)) return inside_box(p, d, normal);
    double distance = sqrt(d2);
    // Quotients, not a product with 1/distance: over a face x/sqrt(x^2) is exactly 1.
    *normal = v3(copysign(out.x / distance, p.x), copysign(out.y / distance, p.y),
                 copysign(out.z / distance, p.z));
    return distance;
}

// --- segment, cylinder, beam
// ------------------------------------------------------------------------------------------------

static double segment_point(double half, Vec3 p, Vec3 *normal) {
    return point_point(v3(p.x, p.y, p.z - clamp(p.z, half)), normal);
}

// A cylinder in the half plane (s, z) of the point is s <= radius, |z| <= half. on_axis: radial
// direction where s = 0.
static double cylinder_point(double radius, double half, Vec3 p, Vec3 on_axis, Vec3 *normal) {
    double s = axis_distance(p), up = copysign(1, p.z);
    double ds = s - radius, dz = fabs(p.z) - half;
    bool axial = dz > 0;
    if (axial && !(ds > 0)) return *normal = v3(0, 0, up), dz;
    if (!axial && !(ds > 0) && dz > ds) return *normal = v3(0, 0, up), dz;
    Vec3 radial = s > 0 ? v3(p.x / s, p.y / s, 0) : on_axis;
    double d2 = ds * ds + dz * dz;
    if (!axial || !(d2 > nothing)) return *normal = radial, ds;
    double d = sqrt(d2);
    *normal = v3(radial.x * (ds / d), radial.y * (ds / d), up * (dz / d));
    return d;
}

// The stadium is the set of points within h.y of the straight part: a cylinder about its nearest
// point.
static double beam_point(Vec3 h, Vec3 p, Vec3 *normal) {
    return cylinder_point(h.y, h.z, v3(p.x - clamp(p.x, h.x), p.y, p.z), v3(0, 1, 0), normal);
}

// --- cone and frustum
// ------------------------------------------------------------------------------------------------

// A rim at ds, dz from the point in its half plane.
static double rim_point(double ds, double dz, Vec3 radial, Vec3 side, Vec3 *normal) {
    double d2 = ds * ds + dz * dz;
    if (!(d2 > nothing)) return *normal = side, 0.0;
    double d = sqrt(d2);
    *normal = v3(radial.x * (ds / d), radial.y * (ds / d), dz / d);
    return d;
}

// In the half plane (s, z) of p the frustum is the quadrangle below; its outer corners are the
// rims, its slanted line the side.
//        (h.y, +h.z) ----.
//             |            \  normal (cosine, sine) = (2 h.z, h.x - h.y) / slant
//        (h.x, -h.z) -------
static double frustum_point(Vec3 h, Vec3 p, Vec3 *normal) {
    double s = axis_distance(p), up = copysign(1, p.z);
    double dz = fabs(p.z) - h.z;
    if (dz >= 0 && s <= (p.z > 0 ? h.y : h.x)) return *normal = v3(0, 0, up), dz;
    double slant = sqrt(4 * h.z * h.z + (h.x - h.y) * (h.x - h.y));
    double cosine = 2 * h.z / slant, sine = (h.x - h.y) / slant;
    // along the side from the bottom rim, and above it
    double along = -sine * (s - h.x) + cosine * (p.z + h.z);
    double above = cosine * (s - h.x) + sine * (p.z + h.z);
    Vec3 radial = s > 0 ? v3(p.x / s, p.y / s, 0) : v3(1, 0, 0);
    Vec3 side = v3(cosine * radial.x, cosine * radial.y, sine);
    if (above <= 0 && dz < 0) {
        *normal = above >= dz ? side : v3(0, 0, up);
        return larger(above, dz);
    }
    if (along >= slant) return rim_point(s - h.y, p.z - h.z, radial, side, normal);
    if (along <= 0) return rim_point(s - h.x, p.z + h.z, radial, side, normal);
    *normal = side;
    return above;
}

// --- polytope
// ------------------------------------------------------------------------------------------------

static Vec3 outward(const RbFeature *f, Vec3 p, Vec3 q) {
    Vec3 away = v3_sub(p, q);
    if (f->ties == 2) return f->tie;
    if (f->ties == 0) return v3_unit(away);
    return v3_unit(v3_axpy(away, -v3_dot(away, f->tie), f->tie));
}

double rb_polytope_plane(const RbPolytope *t, Vec3 p, int *face) {
    double most = -INFINITY;
    for (int f = 0; f < t->face_count; f++) {
        double d = v3_dot(t->face_normals[f], p) - t->face_offsets[f];
        if (d > most) most = d, *face = f;
    }
    return most;
}

// The point of an edge that is closest to p, and the way from there.
typedef struct Foot {
    Vec3 q, away;
} Foot;

// True: none of the polytope is closer. Since that is convex this is so if none of the edges from an end of this one leads nearer to p.
static bool find_foot(const RbPolytope *t, int from, int to, Vec3 p, Foot *out) {
    Vec3 a = t->vertices[from], along = v3_sub(t->vertices[to], a), d = v3_sub(p, a);
    double length2 = v3_norm2(along), part = v3_dot(d, along) / length2;
    bool corner = !(part > 0 && part < 1);
    int end = part < 1 ? from : to;
    out->q = corner ? t->vertices[end] : v3_axpy(a, part, along);
    out->away = v3_sub(p, out->q);
    if (!corner) // across the edge but for rounding
        out->away = v3_axpy(out->away, -v3_dot(out->away, along) / length2, along);
    for (int k = t->neighbour_start[end]; k < t->neighbour_start[end + 1]; k++) {
        if (!corner && t->neighbours[k] == to) continue;
        Vec3 edge = v3_sub(t->vertices[t->neighbours[k]], t->vertices[end]);
        if (v3_dot(edge, out->away) > 0) return false;
    }
    return true;
}

// Where p is from the face that is most below it.
typedef enum Over { OVER_FACE, OVER_ITS_BORDER, OVER_ANYTHING } Over;

static Over over_face(const RbPolytope *t, int face, Vec3 p, Foot *foot) {
    const int *v = t->face_vertices;
    int first = t->face_start[face], end = t->face_start[face + 1];
    Over over = OVER_FACE;
    for (int k = first; k < end; k++) {
        int from = v[k], to = v[k + 1 < end ? k + 1 : first];
        Vec3 a = t->vertices[from], b = t->vertices[to];
        Vec3 out = v3_cross(v3_sub(b, a), v3_sub(p, a));
        if (!(v3_dot(out, t->face_normals[face]) < 0)) continue;
        if (find_foot(t, from, to, p, foot)) return OVER_ITS_BORDER;
        over = OVER_ANYTHING;
    }
    return over;
}

// The planes of the faces bound the distance from below and are exact over a face; the normal of a
// thin triangle of vertices, which the projection works with, is not. What is beside a face is mostly over its border.
static double polytope_point(const RbCore *core, Vec3 p, Vec3 *normal) {
    const RbPolytope *t = core->polytope;
    RbFeature f;
    Foot foot;
    int face = 0;
    double d_face = rb_polytope_plane(t, p, &face);
    Vec3 n_face = t->face_normals[face];
    *normal = n_face;
    if (!(d_face > 0)) return d_face; // inside
    Over over = over_face(t, face, p, &foot);
    if (over == OVER_FACE) return d_face;
    if (over == OVER_ANYTHING) {
        if (!rb_core_project(core, p, &foot.q, &f)) return d_face;
        foot.away = v3_sub(p, foot.q);
    }
    double rounding = 16 * DBL_EPSILON * (v3_max_abs(p) + v3_max_abs(foot.q)); // [m]
    if (v3_norm(foot.away) - d_face <= rounding) return d_face;
    *normal = over == OVER_ANYTHING ? outward(&f, p, foot.q) : v3_unit(foot.away);
    return v3_dot(*normal, v3_sub(p, foot.q));
}

double rb_core_point(const RbCore *core, Vec3 p, Vec3 *normal) {
    Vec3 h = core->h;
    switch (core->kind) {
        case RB_CORE_SEGMENT: return segment_point(h.z, p, normal);
        case RB_CORE_BOX: return box_point(h, p, normal);
        case RB_CORE_CYLINDER: return cylinder_point(h.x, h.z, p, v3(1, 0, 0), normal);
        case RB_CORE_FRUSTUM: return frustum_point(h, p, normal);
        case RB_CORE_BEAM: return beam_point(h, p, normal);
        case RB_CORE_ELLIPSOID: return rb_ellipsoid_point(h, p, normal);
        case RB_CORE_POLYTOPE: return polytope_point(core, p, normal);
        default: return point_point(p, normal);
    }
}

// --- ellipsoid
// ----------------------------------------------------------------------------------------------------------

// The foot x of p satisfies p - x = t x / h^2 (componentwise), so x_i = h_i^2 p_i / (t + h_i^2).
// With u = 1 + t / c^2, c the shortest half length, a_i = h_i |p_i| / c^2, b_i = h_i^2 / c^2 - 1
// and w_i = 1 / (u + b_i) it lies on the surface if
//     S(u) = sum_i (a_i w_i)^2 = 1,
// and  p - x = (u - 1) p w:  normal and distance without a difference that cancels.
//
// The largest root, u >= 0, is the closest point. There 1/sqrt(S) grows and is concave (1/|s| of
// the trust-region method: Conn, Gould, Toint, lemma 7.3.1), nearly a straight line, so Newton's
// method for 1/sqrt(S) = 1 never passes the root, is monotone from the left, and needs two to four
// steps:
//     du = S (sqrt(S) - 1) / T,   T = sum_i (a_i w_i)^2 w_i.
// Each single term of S is 1 at u = a_i - b_i: none of these is beyond the root. The start is
// k = |p / h|, which is left of the root if p is outside (S(k) >= sum_i (p_i / h_i / k)^2 = 1) and
// close to it if p is close to the surface.
typedef struct Secular {
    Vec3 a, b;
    double u; // the root
    Vec3 w;   // there
} Secular;

static double inverse(double below) {
    return below > 0 ? 1 / below : 0.0; // 0 only where a_i is 0 as well
}

static Vec3 secular_weights(Vec3 b, double u) {
    return v3(inverse(u + b.x), inverse(u + b.y), inverse(u + b.z));
}

static void secular_root(Secular *e, double start) {
    enum { ROUNDS_MAX = 100 };
    const double done = 1e-9; // [1] the next step would be its square
    Vec3 a = e->a, b = e->b, alone = v3_sub(a, b), w;
    double least = larger(0, larger(alone.x, larger(alone.y, alone.z)));
    double u = larger(least, start), step = u;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        w = secular_weights(b, u);
        if (fabs(step) <= done * u) break;
        Vec3 q = v3_mul(a, w), q2 = v3_mul(q, q);
        double S = q2.x + q2.y + q2.z, T = v3_dot(q2, w);
        double root = S > 1 ? 0.5 * (S + 1) : S; // of S: bounds that keep the step left of the root
        double next = larger(least, T > 0 ? u + S * (S - 1) / ((root + 1) * T) : u);
        step = next - u;
        if (!(step > 0) && round > 0) break; // only the start may be right of the root
        u = next;
    }
    e->u = u, e->w = w;
}

// p inside on the plane of symmetry across the shortest axis, so near it that the root is u = 0:
// the foot leaves the plane to both sides; the upper one is taken.
static double lifted_foot(Vec3 h, Vec3 p, const Secular *e, int shortest, Vec3 *normal) {
    double x[3], n[3], rest = 1;
    for (int i = 0; i < 3; i++) {
        double q = i == shortest ? 0 : v3_get(e->a, i) * v3_get(e->w, i);
        x[i] = copysign(q * v3_get(h, i), v3_get(p, i));
        rest -= q * q;
    }
    double c = v3_get(h, shortest);
    x[shortest] = copysign(c * sqrt(larger(0.0, rest)), v3_get(p, shortest));
    for (int i = 0; i < 3; i++) n[i] = x[i] * (c / v3_get(h, i)) / v3_get(h, i);
    *normal = v3_unit_or(v3_load(n), v3_axis(shortest));
    return v3_dot(*normal, v3_sub(p, v3_load(x)));
}

double rb_ellipsoid_point(Vec3 h, Vec3 p, Vec3 *normal) {
    int shortest = h.x <= h.y && h.x <= h.z ? 0 : h.y <= h.z ? 1 : 2;
    double c = v3_get(h, shortest), s = 1 / (c * c);
    Secular e = {
        .a = v3_scale(s, v3_mul(v3_abs(p), h)),
        .b = v3_scale(s, v3((h.x - c) * (h.x + c), (h.y - c) * (h.y + c), (h.z - c) * (h.z + c)))};
    secular_root(&e, v3_norm(v3_div(p, h)));
    Vec3 away = v3_mul(p, e.w);
    double length2 = v3_norm2(away);
    if (!(e.u > 0) || !(length2 > nothing)) return lifted_foot(h, p, &e, shortest, normal);
    double length = sqrt(length2);
    *normal = v3_scale(1 / length, away);
    return (e.u - 1) * length;
}
