// SPDX-License-Identifier: MIT
#include "collide/outline.h"

#include <float.h>

#include "geom/front.h"
#include "geom/support.h"

enum { CORNERS = 24, OUTLINE_MAX = 40 };
static const double around =
    1.0086289605801528; // 1 / cos 7.5 deg: corners of the polygon about the unit circle

// cos(15 deg k)
static double cosine(int k) {
    static const double quarter[7] = {
        1.0, 0.9659258262890683, 0.8660254037844387, 0.7071067811865476, 0.5, 0.25881904510252074,
        0.0};
    k = ((k % CORNERS) + CORNERS) % CORNERS;
    if (k > 12) k = CORNERS - k;
    return k <= 6 ? quarter[k] : -quarter[12 - k];
}

static double sine(int k) {
    return cosine(k - 6);
}

bool rb_has_facets(const RbCore *core) {
    return core->kind != RB_CORE_POINT && core->kind != RB_CORE_ELLIPSOID;
}

static double circle_radius(const RbCore *c) {
    switch (c->kind) {
        case RB_CORE_CYLINDER:
        case RB_CORE_FRUSTUM: return c->h.x;
        case RB_CORE_BEAM: return c->h.y;
        default: return 0;
    }
}

// A fixed outline goes around the circle, so that circles that overlap have outlines that do. It
// exceeds the foremost point of a rim that leans by the angle `lean` by up to (1/cos 7.5 deg - 1)
// radius lean. That may be a tenth of the reach. Down to half that angle the two kinds are mixed.
double rb_outline_blend(const RbCore *core, Vec3 n_C, double reach) {
    double radius = circle_radius(core);
    if (!(radius > 0)) return 0;
    double lean = sqrt(n_C.x * n_C.x + n_C.y * n_C.y);
    double full = fmin(0.1, 0.1 * reach / (around - 1) / radius);
    return fmax(0.0, fmin(1.0, 2 * lean / full - 1));
}

// --- outlines of prisms and frusta
// --------------------------------------------------------------------------------------

// Seen along the axis: corners counter-clockwise at the bottom and at the top.
typedef struct Outline {
    int count;
    Vec3 bottom[OUTLINE_MAX], top[OUTLINE_MAX];
} Outline;

static void corner(Outline *o, double x, double y, double x_top, double y_top, double h) {
    o->bottom[o->count] = v3(x, y, -h);
    o->top[o->count++] = v3(x_top, y_top, h);
}

static void outline_circle(Outline *o, Vec3 h, Vec3 lean) {
    for (int k = 0; k < CORNERS; k++) {
        double c = lean.x * cosine(k) - lean.y * sine(k), s = lean.y * cosine(k) + lean.x * sine(k);
        corner(o, h.x * c, h.x * s, h.y * c, h.y * s, h.z);
    }
}

// Two half circles; corners of the leaning grid where they fall on the half, and always its two
// ends.
static void outline_beam(Outline *o, Vec3 h, Vec3 lean, double grow) {
    for (int end = 1; end >= -1; end -= 2) {
        corner(o, end * h.x, -end * h.y, end * h.x, -end * h.y, h.z);
        int first = 0; // the first corner of the grid on this half, going round
        for (int k = 0; k < CORNERS; k++) {
            double c = lean.x * cosine(k) - lean.y * sine(k);
            double before = lean.x * cosine(k - 1) - lean.y * sine(k - 1);
            if (end * c > 0 && !(end * before > 0)) first = k;
        }
        for (int k = first; k < first + CORNERS / 2 + 1; k++) {
            double c = lean.x * cosine(k) - lean.y * sine(k),
                   s = lean.y * cosine(k) + lean.x * sine(k);
            if (!(end * c > 0)) break;
            double x = end * h.x + grow * h.y * c, y = fmax(-h.y, fmin(h.y, grow * h.y * s));
            corner(o, x, y, x, y, h.z);
        }
        corner(o, end * h.x, end * h.y, end * h.x, end * h.y, h.z);
    }
}

// --- facets
// -------------------------------------------------------------------------------------------------------------

typedef struct Seen {
    Pose X;
    RbContactPlane plane;
    double side;  // see rb_facets
    Vec3 m;       // outward direction in frame C
    double front; // [m] of the foremost point along m
    int foremost; // vertex of a polytope
    Vec3 u, v;    // axes of the plane, in frame C
    Vec3 base;    // [m] in frame C, from which places are written: next to a tip nothing is rounded
    double u0, v0; // [m] the base along them
    double reach;  // [m]
    bool back;     // too
    RbFacets *out;
} Seen;

static const double facing_min =
    1e-9; // cosine below which a facet stands on edge: no area in the plane

static bool is_double(double du, double dv, double reach) {
    double tiny = 1e-7 * reach;
    return fabs(du) < tiny && fabs(dv) < tiny;
}

// Corners that coincide within rounding are one: an edge between them could point anywhere, and
// clipping follows it.
static void add_vertex(RbFacet *f, double u, double v, double excess, double reach) {
    int last = f->count - 1;
    if (last >= 0 && is_double(u - f->u[last], v - f->v[last], reach)) return;
    f->u[f->count] = u, f->v[f->count] = v, f->excess[f->count++] = excess;
}

static void drop_last_if_double(RbFacet *f, double reach) {
    int last = f->count - 1;
    if (last > 0 && is_double(f->u[last] - f->u[0], f->v[last] - f->v[0], reach)) f->count--;
}

// The tip of a cone is no face, nor is a line within rounding.
static bool has_area(const RbFacet *f) {
    double area = 0, extent = 0;
    for (int k = 1; k < f->count; k++) {
        double du = f->u[k] - f->u[0], dv = f->v[k] - f->v[0];
        double far = fabs(du) > fabs(dv) ? fabs(du) : fabs(dv);
        extent = far > extent ? far : extent;
        if (k + 1 < f->count) area += du * (f->v[k + 1] - f->v[0]) - dv * (f->u[k + 1] - f->u[0]);
    }
    return f->count >= 3 && area > 1e-13 * extent * extent;
}

// The last one that was begun, if there is something of it.
static void keep_facet(Seen *s, RbFacet *f) {
    drop_last_if_double(f, s->reach);
    if (!has_area(f)) s->out->count--;
}

// A convex polygon of the surface, counter-clockwise seen from outside, with its outward normal;
// frame C.
static void add_facet(Seen *s, const Vec3 *p, int count, Vec3 normal) {
    double facing = v3_dot(normal, s->m);
    bool back = s->back && facing < -facing_min;
    if (!(facing > facing_min || back) || count < 3 || count > RB_FACET_VERTICES ||
        s->out->count == RB_FACETS)
        return;
    RbFacet *f = &s->out->facet[s->out->count++];
    double least = INFINITY;
    f->count = 0, f->back = back;
    for (int k = 0; k < count; k++) {
        Vec3 q =
            p[(s->side > 0) != back ? k
                                    : count - 1 - k]; // from below, counter-clockwise is clockwise
        Vec3 d = v3_sub(q, s->base);
        double excess = -v3_dot(s->m, d);
        least = excess < least ? excess : least;
        add_vertex(f, v3_dot(s->u, d) + s->u0, v3_dot(s->v, d) + s->v0, excess, s->reach);
    }
    f->gu = v3_dot(normal, s->u) / facing;
    f->gv = v3_dot(normal, s->v) / facing;
    if (least < s->reach)
        keep_facet(s, f);
    else
        s->out->count--;
}

static Vec3 normal_of(Vec3 a, Vec3 b, Vec3 c) {
    return v3_unit(v3_cross(v3_sub(b, a), v3_sub(c, a)));
}

static void prism_facets(Seen *s, const Outline *o) {
    add_facet(s, o->top, o->count, v3(0, 0, 1));
    Vec3 p[OUTLINE_MAX];
    for (int k = 0; k < o->count; k++) p[k] = o->bottom[o->count - 1 - k];
    add_facet(s, p, o->count, v3(0, 0, -1));
    for (int k = 0; k < o->count; k++) {
        int next = (k + 1) % o->count;
        Vec3 quad[4] = {o->bottom[k], o->bottom[next], o->top[next], o->top[k]};
        add_facet(s, quad, 4, normal_of(quad[0], quad[1], quad[3]));
    }
}

// Of each pair of faces the one that looks along m, from the foremost corner on. Corners are the centre and the way to them along three axes,
// and how far one stays behind is what it has to go against m.
static void box_facets(Seen *s, Vec3 h) {
    double u[3], v[3], behind[3]; // half an edge, towards the foremost corner
    double nu[3], nv[3], facing[3];
    for (int i = 0; i < 3; i++) {
        double m = v3_get(s->m, i), length = v3_get(h, i), sign = m < 0 ? -1 : 1;
        nu[i] = sign * v3_get(s->u, i), nv[i] = sign * v3_get(s->v, i), facing[i] = fabs(m);
        u[i] = length * nu[i], v[i] = length * nv[i], behind[i] = 2 * length * facing[i];
    }
    // which way around the foremost corner the edges stand
    bool mirrored = (s->m.x < 0) != ((s->m.y < 0) != (s->m.z < 0));
    double turn = mirrored ? -s->side : s->side;
    for (int i = 0; i < 3; i++) {
        if (!(facing[i] > facing_min)) continue;
        int j = (i + (turn > 0 ? 1 : 2)) % 3, k = 3 - i - j;
        RbFacet *f = &s->out->facet[s->out->count++];
        double u1 = s->u0 + u[i], v1 = s->v0 + v[i];
        f->count = 0, f->back = false;
        add_vertex(f, u1 + u[j] + u[k], v1 + v[j] + v[k], 0, s->reach);
        add_vertex(f, u1 - u[j] + u[k], v1 - v[j] + v[k], behind[j], s->reach);
        add_vertex(f, u1 - u[j] - u[k], v1 - v[j] - v[k], behind[j] + behind[k], s->reach);
        add_vertex(f, u1 + u[j] - u[k], v1 + v[j] - v[k], behind[k], s->reach);
        f->gu = nu[i] / facing[i], f->gv = nv[i] / facing[i];
        keep_facet(s, f);
        if (!s->back || !(behind[i] < s->reach) || !has_area(f)) continue;
        RbFacet *opposite = &s->out->facet[s->out->count++];
        *opposite = *f;
        opposite->back = true;
        for (int c = 0; c < f->count; c++) {
            opposite->u[c] -= 2 * u[i], opposite->v[c] -= 2 * v[i];
            opposite->excess[c] += behind[i];
        }
    }
}

// A face with many corners is several facets that share the first one.
static void add_face(Seen *s, const RbPolytope *t, int face) {
    const int *corners = t->face_vertices + t->face_start[face];
    int count = t->face_start[face + 1] - t->face_start[face];
    Vec3 p[RB_FACET_VERTICES];
    p[0] = t->vertices[corners[0]];
    for (int first = 1, part; first + 1 < count; first += part - 1) {
        part = count - first < RB_FACET_VERTICES ? count - first : RB_FACET_VERTICES - 1;
        for (int k = 0; k < part; k++) p[1 + k] = t->vertices[corners[first + k]];
        add_facet(s, p, 1 + part, t->face_normals[face]);
    }
}

// Returns the first face that was left out for want of room, 0: none.
static int polytope_facets(Seen *s, const RbPolytope *t, int from) {
    enum { ROOM = 64 };
    int faces[ROOM];
    int count = rb_front_faces(t, s->m, s->foremost, s->front - s->reach, from, ROOM, faces);
    for (int i = 0; i < count; i++) {
        int f = faces[i],
            parts = 1 + (t->face_start[f + 1] - t->face_start[f]) / (RB_FACET_VERTICES - 2);
        if (s->out->count > 0 && s->out->count + parts > RB_FACETS) return f;
        add_face(s, t, f);
    }
    return count < ROOM || faces[ROOM - 1] + 1 == t->face_count ? 0 : faces[ROOM - 1] + 1;
}

// In either order; the normal is taken towards m.
static void add_roof(Seen *s, Vec3 *p, int count) {
    Vec3 n = normal_of(p[0], p[1], p[count - 1]);
    if (v3_dot(n, s->m) < 0) {
        Vec3 swap = p[1];
        p[1] = p[count - 1], p[count - 1] = swap, n = v3_neg(n);
    }
    add_facet(s, p, count, n);
}

// The round back of a capsule, x^2/(2 radius) behind the ridge, as a hipped roof that falls by the
// reach at the width where the capsule does. As the capsule is turned on end the roof shrinks to a
// point. Where it leans, the ridge falls by the reach within a short way; beyond the end the hip
// then falls as steeply, or it would pull the centre outwards: a capsule that stands on its round
// end touches at its lowest point.
static void segment_facets(Seen *s, double half, double radius) {
    Vec3 axis = v3(0, 0, 1), across = v3_cross(s->m, axis), along = v3_axpy(axis, -s->m.z, s->m);
    double sine2 = v3_norm2(across), width = sqrt(2 * radius * s->reach);
    double short_way = s->reach * sine2 / fmax(fabs(s->m.z), DBL_MIN); // [m] along the axis
    Vec3 low = v3(0, 0, -half), high = v3(0, 0, half), fall = v3_scale(-s->reach * sine2, s->m);
    for (int sign = -1; sign <= 1; sign += 2) {
        Vec3 out = v3_axpy(fall, sign * width, across);
        Vec3 quad[4] = {low, v3_add(low, out), v3_add(high, out), high};
        add_roof(s, quad, 4);
        for (int end = -1; end <= 1; end += 2) {
            Vec3 tip = v3(0, 0, end * half),
                 beyond = v3_axpy(fall, end * fmin(width, short_way), along);
            Vec3 hip[3] = {tip, v3_add(tip, out), v3_add(tip, beyond)};
            add_roof(s, hip, 3);
        }
    }
}

static void halfspace_facet(Seen *s, double extent) {
    Vec3 c = pose_unpoint(s->X, s->plane.origin);
    Vec3 p[4] = {{c.x + extent, c.y + extent, 0},
                 {c.x - extent, c.y + extent, 0},
                 {c.x - extent, c.y - extent, 0},
                 {c.x + extent, c.y - extent, 0}};
    add_facet(s, p, 4, v3(0, 0, 1));
}

int rb_facets(const RbSight *sight, int from, RbFacets *out) {
    const RbCore *core = sight->core;
    bool leans = sight->outline == RB_OUTLINE_LEANING;
    Vec3 m = v3_scale(sight->side, m3_tmul_vec(sight->X.R, sight->plane.n)), h = core->h;
    int foremost = 0;
    // boxes and half-spaces know where they are by their origin
    bool by_origin = core->kind == RB_CORE_HALFSPACE || core->kind == RB_CORE_BOX;
    Vec3 base = by_origin ? V3_ZERO : rb_core_support(core, m, &foremost);
    Vec3 to_base = v3_sub(pose_point(sight->X, base), sight->plane.origin);
    Seen s = {.X = sight->X,
              .plane = sight->plane,
              .side = sight->side,
              .m = m,
              .front = v3_dot(m, base),
              .foremost = foremost,
              .base = base,
              .u = m3_tmul_vec(sight->X.R, sight->plane.u),
              .v = m3_tmul_vec(sight->X.R, sight->plane.v),
              .u0 = v3_dot(sight->plane.u, to_base),
              .v0 = v3_dot(sight->plane.v, to_base),
              .reach = sight->reach,
              .back = sight->back,
              .out = out};
    out->count = 0;
    Vec3 lean = leans ? v3_unit_or(v3(m.x, m.y, 0), v3(1, 0, 0)) : v3(1, 0, 0);
    double k = leans ? 1.0 : around;
    Outline o = {.count = 0};
    switch (core->kind) {
        case RB_CORE_BOX: box_facets(&s, h); return 0;
        case RB_CORE_CYLINDER: outline_circle(&o, v3(k * h.x, k * h.x, h.z), lean); break;
        case RB_CORE_FRUSTUM: outline_circle(&o, v3(k * h.x, k * h.y, h.z), lean); break;
        case RB_CORE_BEAM: outline_beam(&o, h, lean, k); break;
        case RB_CORE_POLYTOPE: return polytope_facets(&s, core->polytope, from);
        case RB_CORE_SEGMENT: segment_facets(&s, h.z, core->radius); return 0;
        case RB_CORE_HALFSPACE: halfspace_facet(&s, sight->extent); return 0;
        default: return 0;
    }
    prism_facets(&s, &o);
    return 0;
}

void rb_facets_of_both(const RbSight *a, const RbSight *b, RbTakeFacets *take, void *taker) {
    RbFacets of_a, of_b;
    int next_a = 0;
    do {
        int next_b = 0;
        next_a = rb_facets(a, next_a, &of_a);
        do {
            next_b = rb_facets(b, next_b, &of_b);
            take(taker, &of_a, &of_b);
        } while (next_b > 0);
    } while (next_a > 0);
}
