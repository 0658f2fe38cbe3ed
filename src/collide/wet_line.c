// SPDX-License-Identifier: MIT
#include "collide/wet_line.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "collide/point.h"
#include "geom/support.h"

double rb_depth_at(const RbDepthField *f, Vec3 p, Vec3 *m) {
    if (f->planar) {
        *m = f->n;
        return f->radius - (v3_dot(f->n, p) - f->offset);
    }
    return f->radius - (f->near ? rb_near_distance(f->near, p, m) : rb_core_point(f->core, p, m));
}

// Side k of a face, from a to b.
typedef struct FaceSide {
    int from, to; // vertices
    Vec3 a, along;
} FaceSide;

static FaceSide side_of_face(const RbPolytope *t, int face, int k) {
    int first = t->face_start[face], count = t->face_start[face + 1] - first;
    int from = t->face_vertices[first + k], to = t->face_vertices[first + (k + 1) % count];
    Vec3 a = t->vertices[from];
    return (FaceSide){from, to, a, v3_sub(t->vertices[to], a)};
}

// A face of a box that all of the round body is over, in front of the middle.
static bool is_over_box(RbDepthField *f, const RbCore *round, Pose X) {
    double low[3], high[3];
    const double h[3] = {f->core->h.x, f->core->h.y, f->core->h.z};
    for (int i = 0; i < 3; i++) {
        Vec3 d = m3_tmul_vec(X.R, v3_axis(i));
        high[i] = v3_get(pose_point(X, rb_core_support(round, d, NULL)), i);
        low[i] = v3_get(pose_point(X, rb_core_support(round, v3_neg(d), NULL)), i);
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double side = low[k] > 0 ? 1 : -1;
        if (low[k] <= 0 && high[k] >= 0) continue;
        if (low[i] < -h[i] || high[i] > h[i] || low[j] < -h[j] || high[j] > h[j]) continue;
        f->n = v3_scale(side, v3_axis(k)), f->offset = h[k];
        return true;
    }
    return false;
}

// The plane of f, over which the round body begins; what of that overlaps is below its cap's top.
typedef struct Over {
    const RbCore *round;
    Pose X;
    double low, top;
} Over;

static bool is_over_plane(const RbDepthField *f, const RbCore *round, Pose X, Over *out) {
    Vec3 lowest = rb_core_support(round, m3_tmul_vec(X.R, v3_neg(f->n)), NULL);
    *out = (Over){round, X, v3_dot(f->n, pose_point(X, lowest)), f->offset + f->radius};
    return out->low > f->offset && out->low < out->top;
}

static bool is_inside_of(const RbDepthField *f, const Over *o, Vec3 out, double at) {
    return rb_cap_extent(o->round, o->X, f->n, o->low, o->top, out) < at;
}

static const double ALONG = 1 - 1e-6; // cosine: the closest point is on the face

static bool overlaps_over_box(RbDepthField *f, const RbCore *round, Pose X, Vec3 n) {
    Vec3 a = v3_abs(n);
    int k = a.x > a.y && a.x > a.z ? 0 : a.y > a.z ? 1 : 2;
    Over over;
    if (v3_get(a, k) < ALONG) return false;
    f->n = v3_scale(v3_get(n, k) > 0 ? 1 : -1, v3_axis(k)), f->offset = v3_get(f->core->h, k);
    if (!is_over_plane(f, round, X, &over)) return false;
    for (int i = 1; i < 5; i++) {
        int axis = (k + 1 + i / 3) % 3;
        Vec3 out = v3_scale(i % 2 ? 1 : -1, v3_axis(axis));
        if (!is_inside_of(f, &over, out, v3_get(f->core->h, axis))) return false;
    }
    return true;
}

static bool overlaps_over_face(RbDepthField *f, const RbCore *round, Pose X, Vec3 n) {
    const RbPolytope *t = f->core->polytope;
    Over over;
    int face = 0;
    while (face < t->face_count && v3_dot(t->face_normals[face], n) < ALONG) face++;
    if (face == t->face_count) return false;
    f->n = t->face_normals[face], f->offset = t->face_offsets[face];
    if (!is_over_plane(f, round, X, &over)) return false;
    for (int k = 0; k < t->face_start[face + 1] - t->face_start[face]; k++) {
        FaceSide e = side_of_face(t, face, k);
        Vec3 out = v3_unit(v3_cross(e.along, f->n));
        if (!is_inside_of(f, &over, out, v3_dot(out, e.a))) return false;
    }
    return true;
}

// Is what overlaps over the disc of that radius about the z axis? Its outline is inside of eight sides.
static bool is_over_disc(const RbDepthField *f, const Over *o, double radius) {
    enum { SIDES = 8 };
    const double half = 0.70710678118654752;
    Vec3 d = v3_perpendicular(f->n), e = v3_cross(f->n, d);
    double reach[SIDES];
    for (int i = 0; i < SIDES; i++) {
        double x = i % 2 ? half : i / 2 % 2 ? 0 : 1, y = i % 2 ? half : i / 2 % 2 ? 1 : 0;
        if (i == 3 || i == 4 || i == 5) x = -x;
        if (i > 4) y = -y;
        Vec3 out = v3_axpy(v3_scale(x, d), y, e);
        reach[i] = rb_cap_extent(o->round, o->X, f->n, o->low, o->top, out);
    }
    for (int i = 0; i < SIDES; i++) { // where two sides meet
        double a = reach[i], b = reach[(i + 1) % SIDES];
        if (!(2 * (a * a + b * b - 2 * half * a * b) < radius * radius)) return false;
    }
    return true;
}

// The end of a round body, or a flat side of a beam.
static bool overlaps_over_end(RbDepthField *f, const RbCore *round, Pose X, Vec3 n) {
    Vec3 h = f->core->h;
    Over over;
    bool beam = f->core->kind == RB_CORE_BEAM, end = fabs(n.z) > ALONG;
    if (!end && !(beam && fabs(n.y) > ALONG)) return false;
    int axis = end ? 2 : 1;
    double sign = v3_get(n, axis) > 0 ? 1 : -1;
    f->n = v3_scale(sign, v3_axis(axis)), f->offset = v3_get(h, axis);
    if (!is_over_plane(f, round, X, &over)) return false;
    if (!beam)
        return is_over_disc(f, &over, f->core->kind == RB_CORE_FRUSTUM && n.z > 0 ? h.y : h.x);
    for (int i = 0; i < 4; i++) {
        int across = i < 2 ? 0 : 3 - axis;
        Vec3 out = v3_scale(i % 2 ? 1 : -1, v3_axis(across));
        if (!is_inside_of(f, &over, out, v3_get(h, across))) return false;
    }
    return true;
}

void rb_depth_find_plane(RbDepthField *f, const RbCore *round, Pose X, Vec3 n) {
    if (f->core->kind == RB_CORE_HALFSPACE) f->planar = true, f->n = v3(0, 0, 1);
    if (f->core->kind == RB_CORE_BOX)
        f->planar = is_over_box(f, round, X) || (!f->deep && overlaps_over_box(f, round, X, n));
    if (f->core->kind == RB_CORE_POLYTOPE)
        f->planar = !f->deep && overlaps_over_face(f, round, X, n);
    if (rb_has_sheets(f->core)) f->planar = !f->deep && overlaps_over_end(f, round, X, n);
}

// ---- where the form of the overlap changes along a line

static int add_break(double *b, int count, const RbLine *l, double s) {
    if (s > l->s0 && s < l->s1 && count < RB_WET_MAX - 1) b[count++] = s;
    return count;
}

static int add_plane(double *b, int count, const RbLine *l, int axis, double h) {
    double o = v3_get(l->o, axis), t = v3_get(l->t, axis);
    if (fabs(t) < 1e-14) return count;
    count = add_break(b, count, l, (h - o) / t);
    return add_break(b, count, l, (-h - o) / t);
}

// Where the line meets the cylinder about z through (x, 0).
static int add_circle(double *b, int count, const RbLine *l, double x, double radius) {
    double ox = l->o.x - x, oy = l->o.y, A = l->t.x * l->t.x + l->t.y * l->t.y;
    double B = ox * l->t.x + oy * l->t.y, C = ox * ox + oy * oy - radius * radius;
    if (A < 1e-28 || B * B < A * C) return count;
    double root = sqrt(B * B - A * C);
    count = add_break(b, count, l, (-B - root) / A);
    return add_break(b, count, l, (-B + root) / A);
}

// The side of a frustum in the half plane (s, z) through its axis: from the rim at the bottom up.
static Vec3 frustum_side(Vec3 h) {
    return v3_unit(v3(h.y - h.x, 0, 2 * h.z));
}

// Where the line meets the cone about z through (x, 0) that has the rim (radius, z) and is d_s (s - radius) +
// d_z (z - z_rim) = 0, squared; what the square adds does no harm.
static int add_cone(double *b, int count, const RbLine *l, double x, Vec3 d, double radius,
                    double z) {
    double e = d.x * radius - d.z * (l->o.z - z), slope = -d.z * l->t.z, dd = d.x * d.x;
    double ox = l->o.x - x, oy = l->o.y;
    double A = dd * (l->t.x * l->t.x + l->t.y * l->t.y) - slope * slope;
    double B = dd * (ox * l->t.x + oy * l->t.y) - e * slope;
    double C = dd * (ox * ox + oy * oy) - e * e;
    double q = B * B - A * C;
    if (q < 0) return count;
    double root = B + copysign(sqrt(q), B); // -root/A and -C/root: neither cancels
    if (A != 0) count = add_break(b, count, l, -root / A);
    return root != 0 ? add_break(b, count, l, -C / root) : count;
}

// ---- the same inside the core, where the nearest of its faces changes (docs/theory/contact-patch.md, section 7)

// The bisectors of the faces across the axes i and j: |p_i| - h_i = |p_j| - h_j.
static int add_bisectors(double *b, int count, const RbLine *l, Vec3 h, int i, int j) {
    double apart = v3_get(h, i) - v3_get(h, j);
    for (int k = 0; k < 4; k++) {
        double si = k % 2 ? -1 : 1, sj = k / 2 ? -1 : 1;
        double o = si * v3_get(l->o, i) - sj * v3_get(l->o, j);
        double t = si * v3_get(l->t, i) - sj * v3_get(l->t, j);
        if (fabs(t) >= 1e-14) count = add_break(b, count, l, (apart - o) / t);
    }
    return count;
}

// Those of the ends of a round core and its side, about the axis through (x, 0): at the rims (r0, -hz) and (r1, hz).
// along: of the side (s, z), upwards.
static int add_rim_bisectors(double *b, int count, const RbLine *l, double x, Vec3 along, double r0,
                             double r1, double hz) {
    double out = along.z, up = -along.x; // normal of the side
    count = add_cone(b, count, l, x, v3(out, 0, up + 1), r0, -hz);
    return add_cone(b, count, l, x, v3(out, 0, up - 1), r1, hz);
}

// Faces have numbers, edges that of both their ends, vertices their own.
static int polytope_piece(const RbPolytope *t, Vec3 p) {
    int face = 0;
    double over = rb_polytope_plane(t, p, &face), most = 0;
    int piece = 3 * face;
    int sides = over > 0 ? t->face_start[face + 1] - t->face_start[face] : 0;
    for (int k = 0; k < sides; k++) {
        FaceSide e = side_of_face(t, face, k);
        Vec3 d = v3_sub(p, e.a), out = v3_cross(e.along, t->face_normals[face]);
        double length = v3_norm(e.along), beside = v3_dot(out, d) / length;
        if (!(beside > most)) continue;
        double part = v3_dot(d, e.along) / (length * length);
        int low = e.from < e.to ? e.from : e.to, high = e.from + e.to - low;
        most = beside;
        piece = part < 0 ? 3 * e.from + 1 : part > 1 ? 3 * e.to + 1 : 3 * (1000 * low + high) + 2;
    }
    return piece;
}

// Where n . p = c; between s and next.
static int add_crossing(double *b, int count, const RbLine *l, Vec3 n, double c, double s,
                        double next) {
    double t = v3_dot(n, l->t), at = (c - v3_dot(n, l->o)) / t;
    return t != 0 && at > s && at < next ? add_break(b, count, l, at) : count;
}

// What is over a face ends at planes upright on its sides; what is over an edge at planes across it through its ends.
static int add_sides(double *b, int count, const RbLine *l, const RbPolytope *t, int face, double s,
                     double next) {
    int sides = t->face_start[face + 1] - t->face_start[face];
    for (int k = 0; k < sides; k++) {
        FaceSide e = side_of_face(t, face, k);
        Vec3 out = v3_cross(e.along, t->face_normals[face]);
        double from = v3_dot(e.along, e.a);
        count = add_crossing(b, count, l, out, v3_dot(out, e.a), s, next);
        count = add_crossing(b, count, l, e.along, from, s, next);
        count = add_crossing(b, count, l, e.along, from + v3_norm2(e.along), s, next);
    }
    return count;
}

// Where the line goes on under another face: the depth in it is the least of those under its planes, which are linear along the line.
static int add_faces(double *b, int count, const RbLine *l, const RbPolytope *t) {
    double s = l->s0;
    int at = 0;
    rb_polytope_plane(t, v3_axpy(l->o, s, l->t), &at);
    while (at >= 0 && count < RB_WET_MAX - 2) {
        double next = l->s1, steep = v3_dot(t->face_normals[at], l->t);
        double here = v3_dot(t->face_normals[at], l->o) - t->face_offsets[at];
        int to = -1;
        for (int i = 0; i < t->face_count; i++) {
            double slope = v3_dot(t->face_normals[i], l->t) - steep;
            if (!(slope > 1e-12)) continue; // it never overtakes
            double meets = (here - v3_dot(t->face_normals[i], l->o) + t->face_offsets[i]) / slope;
            if (meets < next) next = meets, to = i;
        }
        count = add_sides(b, count, l, t, at, s, next);
        if (to >= 0) count = add_break(b, count, l, fmax(s, next));
        s = fmax(s, next), at = to;
    }
    return count;
}

static int inner_breaks(const RbDepthField *f, const RbLine *l, double *b, int count) {
    Vec3 h = f->core->h, up = v3(0, 0, 1), m;
    int first = count;
    switch (f->core->kind) {
        case RB_CORE_BOX:
            for (int i = 0; i < 3; i++) count = add_bisectors(b, count, l, h, i, (i + 1) % 3);
            break;
        case RB_CORE_CYLINDER: count = add_rim_bisectors(b, count, l, 0, up, h.x, h.x, h.z); break;
        case RB_CORE_FRUSTUM:
            count = add_rim_bisectors(b, count, l, 0, frustum_side(h), h.x, h.y, h.z);
            break;
        case RB_CORE_BEAM:
            count = add_bisectors(b, count, l, h, 1, 2);
            count = add_rim_bisectors(b, count, l, -h.x, up, h.y, h.y, h.z);
            count = add_rim_bisectors(b, count, l, h.x, up, h.y, h.y, h.z);
            break;
        default: break;
    }
    int kept = first;
    for (int i = first; i < count; i++) {
        if (rb_core_point(f->core, v3_axpy(l->o, b[i], l->t), &m) < 0) b[kept++] = b[i];
    }
    return kept;
}

static void sort(double *b, int count) {
    for (int i = 1; i < count; i++) {
        double x = b[i];
        int j = i;
        for (; j > 0 && b[j - 1] > x; j--) b[j] = b[j - 1];
        b[j] = x;
    }
}

static int breaks_of(const RbDepthField *f, const RbLine *l, double *b) {
    Vec3 h = f->core->h;
    int count = 0;
    b[count++] = l->s0;
    switch (f->core->kind) {
        case RB_CORE_BOX:
            for (int i = 0; i < 3; i++) count = add_plane(b, count, l, i, v3_get(h, i));
            break;
        case RB_CORE_SEGMENT: count = add_plane(b, count, l, 2, h.z); break;
        case RB_CORE_CYLINDER:
            count = add_plane(b, count, l, 2, h.z);
            count = add_circle(b, count, l, 0, h.x);
            break;
        case RB_CORE_FRUSTUM:
            count = add_plane(b, count, l, 2, h.z);
            count = add_circle(b, count, l, 0, h.x);
            count = add_circle(b, count, l, 0, h.y);
            // upright on the side at its rims: beyond it the rim is closest
            count = add_cone(b, count, l, 0, frustum_side(h), h.x, -h.z);
            count = add_cone(b, count, l, 0, frustum_side(h), h.y, h.z);
            break;
        case RB_CORE_BEAM:
            count = add_plane(b, count, l, 0, h.x);
            count = add_plane(b, count, l, 1, h.y);
            count = add_plane(b, count, l, 2, h.z);
            count = add_circle(b, count, l, -h.x, h.y);
            count = add_circle(b, count, l, h.x, h.y);
            break;
        case RB_CORE_POLYTOPE: count = add_faces(b, count, l, f->core->polytope); break;
        default: break;
    }
    if (f->deep) count = inner_breaks(f, l, b, count);
    b[count++] = l->s1;
    sort(b, count);
    return count;
}

// ---- the part of a line that overlaps

typedef struct Place {
    double s, w, slope;
    Vec3 m;
} Place;

static Place place_at(const RbDepthField *f, const RbLine *l, double s) {
    Place p = {.s = s};
    p.w = rb_depth_at(f, v3_axpy(l->o, s, l->t), &p.m);
    p.slope = -v3_dot(p.m, l->t);
    return p;
}

// Between a place without overlap and one with it. Overlap is concave, so Newton's tangents stop short
// of the border, and come nearer with each.
static Place border(const RbDepthField *f, const RbLine *l, const Place *from, const Place *wet) {
    Place dry = *from;
    double tiny = 1e-13 * fabs(wet->s - dry.s);
    for (int i = 0; i < 40 && dry.w < 0; i++) {
        double step = -dry.w / dry.slope, left = wet->s - dry.s;
        if (!(step * left > 0) || fabs(step) > fabs(left)) step = 0.5 * left;
        dry = place_at(f, l, dry.s + step);
        if (fabs(step) < tiny) break;
        if (dry.w > 0) break;
    }
    return dry;
}

// The deepest place between two that rise towards each other.
static Place summit(const RbDepthField *f, const RbLine *l, Place a, Place b) {
    Place c = a.w > b.w ? a : b;
    for (int i = 0; i < 24; i++) {
        double t = a.slope / (a.slope - b.slope);
        t = fmin(0.9, fmax(0.1, t));
        c = place_at(f, l, a.s + t * (b.s - a.s));
        if (c.w > 0 && i > 2) break; // inside is enough
        if (fabs(c.slope) < 1e-9 || fabs(b.s - a.s) < 1e-14) break;
        if (c.slope > 0)
            a = c;
        else
            b = c;
    }
    return c;
}

// A concave function with the same slope at two places is linear between them.
static void add_wet(RbWet *w, const Place *a, const Place *b) {
    if (!(b->s > a->s)) return;
    int i = w->count++;
    w->from[i] = a->s, w->to[i] = b->s;
    if (w->rough) return;
    w->known[i] = false;
    w->linear[i] = a->m.x == b->m.x && a->m.y == b->m.y && a->m.z == b->m.z;
    w->w_from[i] = a->w, w->w_to[i] = b->w, w->m[i] = a->m;
}

// From a to b, of which either may be without overlap; then there is some at `inner`.
static void add_between(const RbDepthField *f, const RbLine *l, const Place *a, const Place *b,
                        const Place *inner, RbWet *out) {
    if (out->rough) {
        add_wet(out, a, b);
        return;
    }
    Place from, to;
    if (!(a->w > 0)) from = border(f, l, a, inner), a = &from;
    if (!(b->w > 0)) to = border(f, l, b, inner), b = &to;
    add_wet(out, a, b);
}

static void wet_between(const RbDepthField *f, const RbLine *l, const Place *a, const Place *b,
                        RbWet *out) {
    out->most = fmax(out->most, fmax(a->w, b->w));
    if (a->w > 0 || b->w > 0) {
        add_between(f, l, a, b, a->w > 0 ? a : b, out);
    } else if (a->slope > 0 && b->slope < 0) {
        Place c = summit(f, l, *a, *b);
        out->most = fmax(out->most, c.w);
        if (c.w > 0) add_between(f, l, a, b, &c, out);
    }
}

// Its ends, rims and side.
static int frustum_piece(Vec3 h, Vec3 p) {
    Vec3 d = frustum_side(h);
    double s = sqrt(p.x * p.x + p.y * p.y), above = d.z * (s - h.x) - d.x * (p.z + h.z);
    double over = fabs(p.z) - h.z; // an end
    bool inside = over < 0 && above < 0;
    if (p.z < -h.z && s < h.x) return 0;
    if (p.z > h.z && s < h.y) return 1;
    if (inside) return over > above ? p.z > 0 : 4;
    if (d.x * (s - h.x) + d.z * (p.z + h.z) < 0) return 2;
    return d.x * (s - h.y) + d.z * (p.z - h.z) > 0 ? 3 : 4;
}

static int box_piece(Vec3 h, Vec3 p) {
    Vec3 d = v3_sub(v3_abs(p), h);
    double nearest = fmin(0, fmax(d.x, fmax(d.y, d.z))); // inside: that face counts
    int piece = 0;
    const int weight[3] = {3, 9, 1};
    for (int i = 0; i < 3; i++) {
        bool over = v3_get(d, i) >= nearest && v3_get(d, i) != 0;
        piece += weight[i] * (over ? (v3_get(p, i) > 0) - (v3_get(p, i) < 0) : 0);
    }
    return piece + 13;
}

// Of a cylinder or, s from its straight part, a beam: over the ends or not (-1, 0, 1), and beside them.
static int cylinder_piece(double ds, double dz, double z) {
    bool end = dz > 0 || (ds < 0 && dz > ds), beside = ds > 0 || !end;
    return (end ? (z > 0) - (z < 0) : 0) + 1 + 3 * beside;
}

int rb_depth_piece(const RbDepthField *f, Vec3 p) {
    Vec3 h = f->core->h;
    double dz = fabs(p.z) - h.z;
    if (f->near) return rb_near_piece(f->near, p);
    switch (f->core->kind) {
        case RB_CORE_BOX: return box_piece(h, p);
        case RB_CORE_POLYTOPE: return polytope_piece(f->core->polytope, p);
        case RB_CORE_CYLINDER: return cylinder_piece(sqrt(p.x * p.x + p.y * p.y) - h.x, dz, p.z);
        case RB_CORE_FRUSTUM: return frustum_piece(h, p);
        case RB_CORE_BEAM: {
            double over = fmax(0, fabs(p.x) - h.x);
            int x = (p.x > h.x) - (p.x < -h.x) + 1;
            return x + 3 * cylinder_piece(sqrt(over * over + p.y * p.y) - h.y, dz, p.z);
        }
        default: return 0;
    }
}

RbBend rb_depth_bend(const RbDepthField *f, Vec3 p) {
    enum { SIDE = 4 }; // of frustum_piece and cylinder_piece
    Vec3 h = f->core->h;
    double dz = fabs(p.z) - h.z;
    switch (f->core->kind) {
        case RB_CORE_CYLINDER:
            return (RbBend){.is_axis =
                                cylinder_piece(sqrt(p.x * p.x + p.y * p.y) - h.x, dz, p.z) == SIDE};
        case RB_CORE_FRUSTUM: return (RbBend){.is_axis = frustum_piece(h, p) == SIDE};
        case RB_CORE_BEAM: {
            double x = fmax(-h.x, fmin(h.x, p.x)), s = hypot(p.x - x, p.y);
            return (RbBend){cylinder_piece(s - h.y, dz, p.z) == SIDE, x};
        }
        default: return (RbBend){0};
    }
}

double rb_bend_distance(const RbDepthField *f, RbBend bend, const RbLine *l, double s,
                        double *rate) {
    Vec3 p = v3_axpy(l->o, s, l->t), m;
    if (bend.is_axis) {
        *rate = (p.x - bend.x) * l->t.x + p.y * l->t.y;
        return hypot(p.x - bend.x, p.y);
    }
    double d = f->radius - rb_depth_at(f, p, &m);
    *rate = d > 0 ? d * v3_dot(m, l->t) : 0;
    return d > 0 ? d : (double)INFINITY;
}

// On which side the line passes the z axis, and whether before, between or beyond its ends: under the apex of a cone the overlap bends about the axis, however
// close to the surface that is.
static unsigned passes_axis(const RbLine *l) {
    double along = l->o.x * l->t.x + l->o.y * l->t.y, tt = l->t.x * l->t.x + l->t.y * l->t.y;
    return (l->o.x * l->t.y > l->o.y * l->t.x) + 2u * (along + l->s0 * tt > 0) +
           4u * (along + l->s1 * tt > 0);
}

// The piece that part i of the line is over. Over a face of a hull the direction in which the overlap falls, if it is known, tells which.
static unsigned piece_of(const RbDepthField *f, const RbLine *l, const RbWet *w, int i) {
    if (f->core->kind == RB_CORE_POLYTOPE && !w->rough && w->linear[i]) {
        uint64_t bits[3];
        memcpy(bits, &w->m[i], sizeof bits);
        return (unsigned)((31 * (31 * bits[0] + bits[1]) + bits[2]) >> 20);
    }
    return (unsigned)rb_depth_piece(f, v3_axpy(l->o, 0.5 * (w->from[i] + w->to[i]), l->t));
}

// Ends of the line that overlap, and the pieces of the other body that its parts are over, one after the other.
static int form_of(const RbDepthField *f, const RbLine *l, const RbWet *w) {
    unsigned before = 0, form = 1u + 2u * w->from_inside + 4u * w->to_inside;
    for (int i = 0; !f->planar && i < w->count; i++) {
        unsigned piece = piece_of(f, l, w, i);
        if (i == 0 || piece != before) form = 31 * form + 8u * piece;
        before = piece;
    }
    bool pointed = f->core->kind == RB_CORE_FRUSTUM && f->core->h.y == 0;
    if (pointed && f->deep) form = 8 * form + passes_axis(l);
    return (int)(form & 0x7fffffff);
}

// ---- the same over what is near of a polyhedron, where all is known

// At which s, between both, the part is closest.
static double closest_on(const RbNearPart *p) {
    double A = v3_norm2(p->rate), B = v3_dot(p->from, p->rate);
    return B + A * p->start >= 0 ? p->start : B + A * p->end <= 0 ? p->end : -B / A;
}

// How far from a place where it overlaps, at the distance `away`, it does so along d: |away + u d| = r; no farther than most.
static double reach_of(double radius, Vec3 away, Vec3 d, double most) {
    double A = v3_norm2(d), B = v3_dot(away, d), far = v3_norm(away);
    double C = (radius - far) * (radius + far), root = B * B + A * C;
    return root > 0 ? fmin(most, C / (fmax(0, B) + sqrt(root))) : most;
}

static void set_most(RbWet *w, double most, double at, Vec3 m) {
    if (!(most > w->most)) return;
    w->most = most, w->most_at = at, w->most_m = m;
}

static void add_near_bent(double radius, const RbNearPart *p, RbWet *w) {
    double at = closest_on(p);
    Vec3 away = v3_axpy(p->from, at, p->rate);
    double far = v3_norm(away);
    set_most(w, radius - far, at, v3_scale(1 / far, away));
    if (!(far < radius)) return;
    int i = w->count++;
    w->from[i] = p->start, w->to[i] = p->end;
    w->linear[i] = false, w->known[i] = true, w->away[i] = p->from, w->rate[i] = p->rate;
    if (w->rough) return;
    w->from[i] = at - reach_of(radius, away, v3_neg(p->rate), at - p->start);
    w->to[i] = at + reach_of(radius, away, p->rate, p->end - at);
    w->w_from[i] = radius - v3_norm(v3_axpy(p->from, w->from[i], p->rate));
    w->w_to[i] = radius - v3_norm(v3_axpy(p->from, w->to[i], p->rate));
}

static void add_near_face(Vec3 n, double radius, const RbNearPart *p, RbWet *w) {
    double w0 = radius - v3_dot(n, p->from), slope = -v3_dot(n, p->rate);
    double first = w0 + slope * p->start, last = w0 + slope * p->end;
    set_most(w, fmax(first, last), first > last ? p->start : p->end, n);
    if (!(first > 0 || last > 0)) return;
    int i = w->count++;
    double start = p->start, end = p->end;
    if (!(first > 0)) start = fmin(end, fmax(start, -w0 / slope)), first = 0;
    if (!(last > 0)) end = fmin(p->end, fmax(start, -w0 / slope)), last = 0;
    w->from[i] = start, w->to[i] = end, w->w_from[i] = first, w->w_to[i] = last;
    w->linear[i] = true, w->known[i] = false, w->m[i] = n;
}

// About how far from it a line passes that does not overlap.
static void near_miss(const RbDepthField *f, const RbLine *l, RbWet *out) {
    const RbNearHull *h = f->near;
    RbNearPart parts[RB_WET_MAX];
    int count = rb_near_parts(h, l, false, parts, RB_WET_MAX);
    out->most = -(double)INFINITY;
    for (int i = 0; i < count; i++) {
        double at = closest_on(&parts[i]);
        Vec3 away = v3_axpy(parts[i].from, at, parts[i].rate);
        double far = v3_norm(away);
        set_most(out, f->radius - far, at, v3_scale(1 / far, away));
    }
    if (count == 0) {
        double start = v3_dot(h->n, v3_axpy(l->o, l->s0, l->t)),
               end = v3_dot(h->n, v3_axpy(l->o, l->s1, l->t)), low = fmin(start, end);
        set_most(out, h->least + f->radius - low, start < end ? l->s0 : l->s1, h->n);
    }
    out->most = fmin(0, out->most);
}

static void near_wet_part(const RbDepthField *f, const RbLine *l, RbWet *out) {
    RbNearPart parts[RB_WET_MAX];
    int count = rb_near_parts(f->near, l, true, parts, RB_WET_MAX), first = -1, last = -1;
    unsigned form = 0;
    for (int i = 0; i < count; i++) {
        const RbNearPart *p = &parts[i];
        int wet = out->count;
        if (p->kind == RB_NEAR_FACE)
            add_near_face(f->near->pieces[p->piece].across[0], f->radius, p, out);
        else
            add_near_bent(f->radius, p, out);
        if (out->count == wet) continue;
        if (first < 0) first = i;
        form = 31 * form + 8u * (unsigned)(p->piece + 1), last = i;
    }
    if (out->count == 0) {
        near_miss(f, l, out);
        return;
    }
    Vec3 start = v3_axpy(parts[first].from, l->s0, parts[first].rate),
         end = v3_axpy(parts[last].from, l->s1, parts[last].rate);
    double r2 = f->radius * f->radius;
    out->from_inside = parts[first].start > l->s0 || !(v3_norm2(start) < r2);
    out->to_inside = parts[last].end < l->s1 || !(v3_norm2(end) < r2);
    out->form = (int)((form + 1u + 2u * out->from_inside + 4u * out->to_inside) & 0x7fffffff);
}

void rb_wet_part(const RbDepthField *f, const RbLine *l, bool rough, RbWet *out) {
    out->most = -(double)INFINITY, out->form = 0, out->count = 0;
    out->rough = rough, out->from_inside = out->to_inside = false;
    if (f->near && !f->planar) {
        near_wet_part(f, l, out);
        return;
    }
    double b[RB_WET_MAX];
    int count = 2;
    b[0] = l->s0, b[1] = l->s1;
    if (!f->planar) count = breaks_of(f, l, b);
    Place places[2] = {place_at(f, l, b[0])};
    for (int i = 1; i < count; i++) {
        const Place *last = &places[(i + 1) % 2], *next = &places[i % 2];
        places[i % 2] = place_at(f, l, b[i]);
        int before = out->count;
        wet_between(f, l, last, next, out);
        if (out->count > before) {
            if (before == 0) out->from_inside = i > 1 || !(last->w > 0);
            out->to_inside = i < count - 1 || !(next->w > 0);
        }
    }
    if (out->count > 0 && (rough || !f->planar)) out->form = form_of(f, l, out);
}
