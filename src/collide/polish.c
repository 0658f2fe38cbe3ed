// SPDX-License-Identifier: MIT
#include "collide/polish.h"

#include <float.h>

// Support point of a generator for the outward normal m, and what its curvature dx = H dm (dm
// across m) needs.
typedef struct Generated {
    Vec3 x;        // [m]
    Vec3 t;        // circle: tangent
    double k;      // [m] circle: H = k t t'
    double sine;   // circle: of the angle between normal and axis, over which H changes; others 1
    Vec3 local;    // [m] ellipsoid: x in frame C, without inset
    double length; // [m] ellipsoid: h(m)
} Generated;

// h(m) = |D m| gives x = D^2 m / h and H = (D^2 - x x') / h; the inner parallel body has x - inset
// m and H - inset.
static void generate_ellipsoid(const RbPlaced *p, Vec3 m, Generated *g) {
    Vec3 h = p->core->h, local = p->at_home ? m : m3_tmul_vec(p->X.R, m);
    Vec3 u = v3_mul(h, local);
    g->length = v3_norm(u);
    g->local = v3_scale(1.0 / g->length, v3_mul(h, u));
    Vec3 x = v3_axpy(g->local, -p->inset, local);
    g->x = p->at_home ? x : pose_point(p->X, x);
}

// The form u' H v for two directions across the normal.
typedef struct Form {
    double uu, uv, vv;
} Form;

static Form ellipsoid_form(const RbPlaced *p, const Generated *g, Vec3 u, Vec3 v) {
    if (!p->at_home) u = m3_tmul_vec(p->X.R, u), v = m3_tmul_vec(p->X.R, v);
    double xu = v3_dot(g->local, u), xv = v3_dot(g->local, v), s = 1.0 / g->length;
    Vec3 du = v3_mul(p->core->h, u), dv = v3_mul(p->core->h, v);
    return (Form){s * (v3_dot(du, du) - xu * xu) - p->inset, s * (v3_dot(du, dv) - xu * xv),
                  s * (v3_dot(dv, dv) - xv * xv) - p->inset};
}

static void generate(const RbPlaced *p, const RbFeature *f, Vec3 m, Generated *g) {
    g->sine = 1;
    if (f->kind == RB_FEATURE_ELLIPSOID) {
        generate_ellipsoid(p, m, g);
        return;
    }
    g->x = f->point;
    if (f->kind == RB_FEATURE_POINT) return;
    g->k = 0.0;
    g->t = V3_ZERO;
    Vec3 radial = v3_axpy(m, -v3_dot(m, f->axis), f->axis);
    double s = v3_norm(radial);
    if (!(s > 0)) return; // the whole circle is the support: its centre stands for it
    Vec3 u = v3_scale(1.0 / s, radial);
    g->x = v3_axpy(f->point, f->radius, u);
    g->t = v3_cross(f->axis, u);
    g->k = f->radius / s;
    g->sine = s;
}

// u and v are unit vectors across m and each other.
static Form form_of(const RbPlaced *p, const RbFeature *f, const Generated *g, Vec3 u, Vec3 v) {
    if (f->kind == RB_FEATURE_ELLIPSOID) return ellipsoid_form(p, g, u, v);
    if (f->kind == RB_FEATURE_POINT) return (Form){0, 0, 0};
    double tu = v3_dot(u, g->t), tv = v3_dot(v, g->t);
    return (Form){g->k * tu * tu, g->k * tu * tv, g->k * tv * tv};
}

typedef struct Pair {
    const RbPlaced *A, *B;
    const RbFeature *a, *b;
    Generated ga, gb;
    Vec3 y;          // [m]
    bool is_current; // they belong to the normal that was found
} Pair;

static void pair_at(Pair *p, Vec3 n) {
    generate(p->A, p->a, n, &p->ga);
    generate(p->B, p->b, v3_neg(n), &p->gb);
    p->y = v3_sub(p->gb.x, p->ga.x);
}

static Form pair_form(const Pair *p, Vec3 u, Vec3 v) {
    Form a = form_of(p->A, p->a, &p->ga, u, v), b = form_of(p->B, p->b, &p->gb, u, v);
    return (Form){a.uu + b.uu, a.uv + b.uv, a.vv + b.vv};
}

// [m] rounding of y
static double pair_rounding(const Pair *p) {
    Vec3 a = v3_abs(p->ga.x), b = v3_abs(p->gb.x);
    return 2 * DBL_EPSILON * (a.x + a.y + a.z + b.x + b.y + b.z);
}

enum { NEWTON_ROUNDS_MAX = 40, HALVINGS_MAX = 6 };
static const double newton_step_max = 0.3;   // [rad]
static const double newton_step_done = 1e-9; // [1] the next step would be its square

// [rad] A step so short is the last one. Squares count from where the second derivative stays the
// same: near the axis of a circle that is a small angle. Below rounding nothing is gained.
static double last_step(const Pair *p) {
    double sine = p->ga.sine < p->gb.sine ? p->ga.sine : p->gb.sine, step = newton_step_done * sine;
    return step > 2 * DBL_EPSILON ? step : 2 * DBL_EPSILON;
}

// --- no tie: Newton on the sphere
// ---------------------------------------------------------------------------------------

// Solve (H + g) d = y across n, in the tangent basis (u, v). If the matrix is not positive definite
// it is shifted until it is: then the step is an ascent step of bounded length.
static Vec3 sphere_step(const Pair *p, Vec3 n, double gap) {
    Vec3 u = v3_perpendicular(n), v = v3_cross(n, u);
    double ru = v3_dot(u, p->y), rv = v3_dot(v, p->y);
    Form H = pair_form(p, u, v);
    double a = H.uu + gap, b = H.uv, c = H.vv + gap;
    double mean = 0.5 * (a + c), lowest = mean - sqrt(0.25 * (a - c) * (a - c) + b * b);
    double enough = 1e-6 * (fabs(mean) + fabs(gap)) + v3_norm(p->y) * 1e-14;
    if (!(lowest > enough)) {
        double shift = enough - lowest + 0.1 * fabs(gap);
        a += shift, c += shift;
    }
    double det = a * c - b * b;
    if (!(det > 0)) return V3_ZERO;
    Vec3 step = v3_add(v3_scale((c * ru - b * rv) / det, u), v3_scale((a * rv - b * ru) / det, v));
    double length = v3_norm(step);
    return length > newton_step_max ? v3_scale(newton_step_max / length, step) : step;
}

// Ascent: g may not fall beyond rounding; otherwise the step is halved.
static bool newton_sphere(Pair *p, Vec3 *n) {
    pair_at(p, *n);
    double gap = v3_dot(*n, p->y);
    for (int round = 0; round < NEWTON_ROUNDS_MAX; round++) {
        Vec3 step = sphere_step(p, *n, gap), next = *n;
        double slack = pair_rounding(p), length = v3_norm(step);
        double next_gap = gap;
        for (int half = 0;; half++) {
            next = v3_unit(v3_add(*n, step));
            pair_at(p, next);
            next_gap = v3_dot(next, p->y);
            if (next_gap >= gap - slack) break;
            if (half == HALVINGS_MAX) return false;
            step = v3_scale(0.5, step), length *= 0.5;
        }
        *n = next;
        gap = next_gap;
        if (length <= last_step(p)) return p->is_current = true;
    }
    return false;
}

// --- one tie: Newton on the circle e . n = c
// ----------------------------------------------------------------------------

// Both generators are points: the best normal on the circle points along y.
static bool points_on_circle(const Pair *p, Vec3 e, double c, Vec3 *n) {
    Vec3 across = v3_axpy(p->y, -v3_dot(p->y, e), e);
    double length = v3_norm(across);
    if (!(length > 0)) return false;
    // Once more: what rounding has left along e is small beside y, but y across e may be short.
    Vec3 u = v3_scale(1 / length, across);
    u = v3_unit(v3_axpy(u, -v3_dot(u, e), e));
    *n = v3_add(v3_scale(c, e), v3_scale(sqrt(1 - c * c), u));
    return true;
}

// Angles relative to the present normal between which the slope changes from + to -.
typedef struct Bracket {
    double low, high; // [rad]
} Bracket;

static double guarded_step(Bracket *k, double slope, double bend) {
    if (slope >= 0) k->low = 0;
    if (slope <= 0) k->high = 0;
    double step = bend > 0 ? slope / bend : copysign(newton_step_max, slope);
    step = step > newton_step_max    ? newton_step_max
           : step < -newton_step_max ? -newton_step_max
                                     : step;
    if (!(step >= k->low && step <= k->high)) step = 0.5 * (k->low + k->high);
    k->low -= step;
    k->high -= step;
    return step;
}

static bool newton_circle(Pair *p, Vec3 e, double c, Vec3 *n) {
    double s = c == 0 ? 1.0 : sqrt(c * c < 1 ? 1 - c * c : 0.0);
    Vec3 u = v3_unit(v3_axpy(*n, -v3_dot(*n, e), e)); // n = c e + s u
    if (v3_norm2(u) == 0) return false;
    *n = v3_add(v3_scale(c, e), v3_scale(s, u));
    pair_at(p, *n);
    if (p->a->kind == RB_FEATURE_POINT && p->b->kind == RB_FEATURE_POINT) {
        p->is_current = true; // points stay where they are
        return points_on_circle(p, e, c, n);
    }
    Bracket bracket = {-INFINITY, INFINITY};
    for (int round = 0; round < NEWTON_ROUNDS_MAX; round++) {
        Vec3 t = v3_cross(e, u); // dn = s t dphi
        double slope = s * v3_dot(t, p->y);
        double bend = s * s * pair_form(p, t, v3_cross(*n, t)).uu + s * v3_dot(u, p->y);
        if (fabs(slope) <=
            pair_rounding(p)) // also where all normals of the circle are equally good
            return p->is_current = true;
        double step = guarded_step(&bracket, slope, bend);
        u = v3_unit(v3_axpy(u, fabs(step) < 1e-3 ? step : tan(step), t));
        *n = v3_add(v3_scale(c, e), v3_scale(s, u));
        pair_at(p, *n);
        if (bend > 0 && fabs(step) <= last_step(p)) return p->is_current = true;
    }
    return false;
}

// --- two ties: nothing left to iterate
// ----------------------------------------------------------------------------------

static const double parallel_sine = 1e-9; // below it two lines count as parallel

// The unit vector with e . n = c and f . n = d nearest to the guess.
static bool meet_of_circles(Vec3 e, double c, Vec3 f, double d, Vec3 *n) {
    Vec3 cross = v3_cross(e, f);
    double sine2 = v3_norm2(cross), cosine = v3_dot(e, f);
    if (!(sine2 > parallel_sine * parallel_sine)) return false;
    double p = (c - cosine * d) / sine2, q = (d - cosine * c) / sine2;
    Vec3 in_plane = v3_add(v3_scale(p, e), v3_scale(q, f));
    double rest = 1 - v3_norm2(in_plane);
    if (!(rest >= 0)) return false;
    double side = v3_dot(*n, cross) < 0 ? -1 : 1;
    *n = v3_unit(v3_axpy(in_plane, side * sqrt(rest / sine2), cross));
    return true;
}

// --- all cases
// ----------------------------------------------------------------------------------------------------------

static bool solve_normal(Pair *p, Vec3 *n) {
    const RbFeature *a = p->a, *b = p->b;
    if (a->ties == 2) return *n = a->tie, true;
    if (b->ties == 2) return *n = v3_neg(b->tie), true;
    if (a->ties && b->ties && meet_of_circles(a->tie, a->lean, b->tie, -b->lean, n)) return true;
    if (a->ties) return newton_circle(p, a->tie, a->lean, n);
    if (b->ties) return newton_circle(p, b->tie, -b->lean, n);
    if (a->kind == RB_FEATURE_POINT && b->kind == RB_FEATURE_POINT) {
        pair_at(p, *n);
        p->is_current = true;
        *n = v3_unit(p->y);
        return v3_norm2(*n) > 0;
    }
    return newton_sphere(p, n);
}

// Straight direction of the piece at the outward normal m: the edge, or the line of the side.
static Vec3 line_of(const RbFeature *f, Vec3 m) {
    return v3_unit(v3_axpy(f->tie, -v3_dot(f->tie, m), m));
}

// Slide along the lines until b - a has no part across n: least squares in the one or two
// parameters.
static void slide(const Pair *p, Vec3 n, RbPolish *out) {
    Vec3 rest = v3_axpy(p->y, -out->gap, n);
    bool la = p->a->ties == 1, lb = p->b->ties == 1;
    Vec3 ea = la ? line_of(p->a, n) : V3_ZERO, eb = lb ? line_of(p->b, v3_neg(n)) : V3_ZERO;
    double ra = v3_dot(ea, rest), rb = v3_dot(eb, rest), c = v3_dot(ea, eb);
    if (la && lb && v3_norm(v3_cross(ea, eb)) > parallel_sine) {
        double det = v3_norm2(v3_cross(ea, eb));
        out->a = v3_axpy(out->a, (ra - c * rb) / det, ea);
        out->b = v3_axpy(out->b, (c * ra - rb) / det, eb);
    } else if (la) {
        out->a = v3_axpy(out->a, ra, ea);
        out->free_a = out->free_b = lb;
    } else if (lb) {
        out->b = v3_axpy(out->b, -rb, eb);
    }
}

static bool is_round(const RbFeature *f, const Generated *g) {
    const double along_axis = 1e-6; // sine, below which the whole rim lies in the plane
    return f->kind == RB_FEATURE_ELLIPSOID ||
           (f->kind == RB_FEATURE_CIRCLE && f->ties == 0 && g->sine > along_axis);
}

bool rb_polish(const RbPlaced *A, const RbFeature *a, const RbPlaced *B, const RbFeature *b, Vec3 n,
               RbPolish *out) {
    Pair p;
    p.A = A, p.B = B, p.a = a, p.b = b;
    p.is_current = false;
    if (!solve_normal(&p, &n)) return false;
    if (!p.is_current) pair_at(&p, n);
    out->normal = n;
    out->a = p.ga.x, out->b = p.gb.x;
    out->gap = v3_dot(n, p.y);
    out->free_a = a->ties == 2;
    out->free_b = b->ties == 2;
    out->round_a = is_round(a, &p.ga);
    out->round_b = is_round(b, &p.gb);
    if (!out->free_a && !out->free_b) slide(&p, n, out);
    return true;
}
