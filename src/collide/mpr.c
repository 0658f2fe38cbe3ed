// SPDX-License-Identifier: MIT
#include "collide/mpr.h"

#include "math/dd.h"

// A vector shorter than this has no direction: 100 eps of double-double, as the thesis.
static const double no_direction = 100 * 4.93e-32; // [m], [m^2]
static const double no_sign =
    1e4 * 4.93e-32; // a component this small selects the middle of a face or edge

// Point p = a - b of the Minkowski difference A - B, found in the direction n.
typedef struct Support {
    RbDd3 p, a, b; // [m]
    RbDd3 n;
} Support;

typedef struct Mpr {
    const RbCore *A, *B;
    Pose X_AB;
    RbMprOptions options;
    Support r0;         // interior point
    Support r1, r2, r3; // portal
    bool right_handed;  // (r1, r2, r3) seen from r0
    RbMprReport report;
    RbGap *out;
} Mpr;

RbMprOptions rb_mpr_options(void) {
    return (RbMprOptions){.tolerance = 1e-20, .rounds_max = 120};
}

// --- support mappings in double-double
// ------------------------------------------------------------------------------------

static RbDd3 rotate(Mat3 R, RbDd3 v) {
    return (RbDd3){dd3_dot(dd3(R.x), v), dd3_dot(dd3(R.y), v), dd3_dot(dd3(R.z), v)};
}
static RbDd3 unrotate(Mat3 R, RbDd3 v) {
    return rotate(m3_transpose(R), v);
}
static RbDd3 place(Pose X, RbDd3 p) {
    return dd3_add(dd3(X.r), rotate(X.R, p));
}

static RbDd signed_length(RbDd x, double h) {
    return fabs(x.hi) <= no_sign ? dd(0.0) : dd(copysign(h, x.hi));
}

static RbDd3 circle(double radius, RbDd3 n, RbDd z) {
    RbDd s = dd_sqrt(dd_add(dd_mul(n.x, n.x), dd_mul(n.y, n.y)));
    if (s.hi <= no_direction) return (RbDd3){dd(0.0), dd(0.0), z};
    RbDd k = dd_div(dd(radius), s);
    return (RbDd3){dd_mul(k, n.x), dd_mul(k, n.y), z};
}

static RbDd3 core_support(const RbCore *c, RbDd3 n) {
    Vec3 h = c->h;
    switch (c->kind) {
        case RB_CORE_SEGMENT: return (RbDd3){dd(0.0), dd(0.0), signed_length(n.z, h.z)};
        case RB_CORE_BOX:
            return (RbDd3){signed_length(n.x, h.x), signed_length(n.y, h.y),
                           signed_length(n.z, h.z)};
        case RB_CORE_CYLINDER: return circle(h.x, n, signed_length(n.z, h.z));
        case RB_CORE_FRUSTUM: {
            RbDd3 top = circle(h.y, n, dd(h.z)), bottom = circle(h.x, n, dd(-h.z));
            return dd_less(dd3_dot(n, top), dd3_dot(n, bottom)) ? bottom : top;
        }
        case RB_CORE_BEAM: {
            RbDd3 p = circle(h.y, n, signed_length(n.z, h.z));
            p.x = dd_add(p.x, signed_length(n.x, h.x));
            return p;
        }
        case RB_CORE_ELLIPSOID: {
            RbDd3 u = {dd_mul(dd(h.x), n.x), dd_mul(dd(h.y), n.y), dd_mul(dd(h.z), n.z)};
            u = dd3_unit(u);
            return (RbDd3){dd_mul(dd(h.x), u.x), dd_mul(dd(h.y), u.y), dd_mul(dd(h.z), u.z)};
        }
        case RB_CORE_POLYTOPE: {
            int best = 0;
            RbDd top = dd3_dot(n, dd3(c->polytope->vertices[0]));
            for (int i = 1; i < c->polytope->vertex_count; i++) {
                RbDd s = dd3_dot(n, dd3(c->polytope->vertices[i]));
                if (dd_less(top, s)) top = s, best = i;
            }
            return dd3(c->polytope->vertices[best]);
        }
        default: return dd3(V3_ZERO);
    }
}

// The whole shape, sphere included, in its own frame; n is a unit vector.
static RbDd3 shape_support(const RbCore *c, RbDd3 n) {
    RbDd3 p = place(c->frame, core_support(c, unrotate(c->frame.R, n)));
    return dd3_add(p, dd3_scale(dd(c->radius), n));
}

static Support support(const Mpr *m, RbDd3 n) {
    Support s = {.n = n};
    s.a = shape_support(m->A, n);
    s.b = place(m->X_AB, shape_support(m->B, unrotate(m->X_AB.R, dd3_neg(n))));
    s.p = dd3_sub(s.a, s.b);
    return s;
}

// Centroid; of the kinds only the frustum does not have it at the origin of C.
static RbDd3 centroid(const RbCore *c) {
    Vec3 r = V3_ZERO, h = c->h;
    if (c->kind == RB_CORE_FRUSTUM) {
        double bottom = h.x * h.x, top = h.y * h.y, mixed = h.x * h.y, sum = bottom + mixed + top;
        r.z = sum > 0 ? 0.5 * h.z * (bottom + 2 * mixed + 3 * top) / sum - h.z : 0.0;
    }
    return place(c->frame, dd3(r));
}

// --- results
// --------------------------------------------------------------------------------------------------------------

static void answer(Mpr *m, RbMprEnd end, RbDd distance, RbDd3 a, RbDd3 b, RbDd3 n) {
    m->report.end = end;
    *m->out = (RbGap){.distance = dd_double(distance),
                      .normal = dd3_double(n),
                      .point_a = dd3_double(a),
                      .point_b = dd3_double(b),
                      .error = NAN,
                      .status = RB_GAP_BOUNDED};
}

static void no_answer(Mpr *m, RbMprEnd end) {
    m->report.end = end;
    *m->out = (RbGap){.distance = NAN, .normal = {0, 0, 1}, .error = NAN, .status = RB_GAP_INVALID};
}

static void answer_support(Mpr *m, RbMprEnd end, const Support *s, RbDd3 n) {
    answer(m, end, dd_neg(dd3_dot(s->p, n)), s->a, s->b, n);
}

// A point of the portal as a combination of its corners.
typedef struct Nearest {
    RbDd3 p;
    RbDd weight[3];
    RbDd norm;
} Nearest;

static void combine(const Mpr *m, const RbDd weight[3], RbDd3 *a, RbDd3 *b, RbDd3 *p) {
    const Support *r[3] = {&m->r1, &m->r2, &m->r3};
    *a = *b = *p = dd3(V3_ZERO);
    for (int i = 0; i < 3; i++) {
        *a = dd3_add(*a, dd3_scale(weight[i], r[i]->a));
        *b = dd3_add(*b, dd3_scale(weight[i], r[i]->b));
        *p = dd3_add(*p, dd3_scale(weight[i], r[i]->p));
    }
}

// Nearest point of the edge from corner i to corner j.
static Nearest on_edge(const Mpr *m, int i, int j) {
    const Support *r[3] = {&m->r1, &m->r2, &m->r3};
    RbDd3 e = dd3_sub(r[j]->p, r[i]->p), a, b;
    RbDd length2 = dd3_dot(e, e), t = dd_neg(dd3_dot(r[i]->p, e));
    t = !(length2.hi > 0) || t.hi < 0 ? dd(0.0)
        : dd_less(length2, t)         ? dd(1.0)
                                      : dd_div(t, length2);
    Nearest out = {.weight = {dd(0.0), dd(0.0), dd(0.0)}};
    out.weight[i] = dd_sub(dd(1.0), t);
    out.weight[j] = t;
    combine(m, out.weight, &a, &b, &out.p);
    out.norm = dd3_norm(out.p);
    return out;
}

// Is the foot of the origin on the plane of the portal inside the triangle? The weights are ratios
// of areas.
static bool foot_in_portal(const Mpr *m, RbDd3 e, RbDd weight[3]) {
    RbDd3 p1 = m->r1.p, p2 = m->r2.p, p3 = m->r3.p;
    RbDd whole = dd3_dot(e, dd3_cross(dd3_sub(p2, p1), dd3_sub(p3, p1)));
    if (whole.hi == 0) return false;
    weight[0] = dd_div(dd3_dot(e, dd3_cross(p2, p3)), whole);
    weight[1] = dd_div(dd3_dot(e, dd3_cross(p3, p1)), whole);
    weight[2] = dd_sub(dd(1.0), dd_add(weight[0], weight[1]));
    return !dd_negative(weight[0]) && !dd_negative(weight[1]) && !dd_negative(weight[2]);
}

// Distance of the portal from the origin; e is its normal away from r0.
static void answer_portal(Mpr *m, RbMprEnd end, RbDd3 e) {
    RbDd weight[3];
    RbDd3 a, b, p;
    if (foot_in_portal(m, e, weight)) {
        combine(m, weight, &a, &b, &p);
        answer(m, end, dd_neg(dd3_dot(e, m->r1.p)), a, b, e);
        return;
    }
    Nearest best = on_edge(m, 0, 1), other = on_edge(m, 1, 2);
    if (dd_less(other.norm, best.norm)) best = other;
    other = on_edge(m, 2, 0);
    if (dd_less(other.norm, best.norm)) best = other;
    combine(m, best.weight, &a, &b, &p);
    bool inside = dd_positive(dd3_dot(p, e)); // b - a = -p = distance n
    RbDd distance = inside ? dd_neg(best.norm) : best.norm;
    RbDd3 n = best.norm.hi > 0 ? dd3_scale(dd_div(dd(-1.0), distance), p) : e;
    answer(m, end, distance, a, b, n);
}

// --- phase 1: a first portal
// ----------------------------------------------------------------------------------------------

static bool has_direction(RbDd3 v) {
    return dd3_norm(v).hi > no_direction;
}

static RbDd3 across(const Support *a, const Support *b, const Support *c) {
    return dd3_cross(dd3_sub(b->p, a->p), dd3_sub(c->p, a->p));
}

// Three support points around the ray from r0 through the origin. False if the answer is already
// known.
static bool first_portal(Mpr *m) {
    m->r0.a = centroid(m->A);
    m->r0.b = place(m->X_AB, centroid(m->B));
    m->r0.p = dd3_sub(m->r0.a, m->r0.b);
    if (!has_direction(m->r0.p)) return no_answer(m, RB_MPR_CENTRES), false;
    m->r1 = support(m, dd3_unit(dd3_neg(m->r0.p)));
    RbDd3 n2 = dd3_cross(m->r0.p, m->r1.p);
    if (!has_direction(n2)) return answer_support(m, RB_MPR_TC1, &m->r1, m->r1.n), false;
    m->r2 = support(m, dd3_unit(n2));
    RbDd3 n3 = across(&m->r0, &m->r1, &m->r2);
    if (!has_direction(n3)) {
        m->r2 = support(m, dd3_neg(m->r2.n));
        n3 = across(&m->r0, &m->r1, &m->r2);
        if (!has_direction(n3)) return no_answer(m, RB_MPR_PLANAR), false;
    }
    if (dd_positive(dd3_dot(m->r0.p, n3))) { // the origin is on the other side: turn the wedge over
        Support swap = m->r1;
        m->r1 = m->r2, m->r2 = swap, n3 = dd3_neg(n3);
    }
    m->r3 = support(m, dd3_unit(n3));
    if (!has_direction(across(&m->r1, &m->r2, &m->r3))) {
        m->r3 = support(m, dd3_neg(m->r3.n));
        if (!has_direction(across(&m->r1, &m->r2, &m->r3)))
            return no_answer(m, RB_MPR_PLANAR), false;
    }
    return true;
}

// --- phase 2: a portal that the ray passes
// --------------------------------------------------------------------------------

static bool valid_portal(Mpr *m) {
    for (m->report.rounds_2 = 1; m->report.rounds_2 <= m->options.rounds_max;
         m->report.rounds_2++) {
        RbDd3 n = across(&m->r0, &m->r1, &m->r3);
        if (dd_negative(dd3_dot(m->r0.p, n))) { // the origin lies beyond the plane (r0, r1, r3)
            m->r2 = m->r3;
            m->r3 = support(m, dd3_unit(n));
            continue;
        }
        n = across(&m->r0, &m->r3, &m->r2);
        if (dd_negative(dd3_dot(m->r0.p, n))) {
            m->r1 = m->r3;
            m->r3 = support(m, dd3_unit(n));
            continue;
        }
        return true;
    }
    no_answer(m, RB_MPR_NO_PORTAL);
    return false;
}

// --- phase 3: refinement
// --------------------------------------------------------------------------------------------------

// Does the ray pass between r0 and the edges (u, r4) and (r4, v)?
static bool passes(const Mpr *m, const Support *u, const Support *v, const Support *r4) {
    RbDd3 ray = dd3_neg(m->r0.p);
    RbDd s = dd3_dot(ray, across(&m->r0, v, r4)), t = dd3_dot(ray, across(&m->r0, r4, u));
    return m->right_handed ? !dd_negative(s) && !dd_negative(t)
                           : !dd_positive(s) && !dd_positive(t);
}

static bool next_portal(Mpr *m, const Support *r4) {
    if (passes(m, &m->r1, &m->r2, r4))
        m->r3 = *r4;
    else if (passes(m, &m->r2, &m->r3, r4))
        m->r1 = *r4;
    else if (passes(m, &m->r3, &m->r1, r4))
        m->r2 = *r4;
    else
        return false;
    return true;
}

// The best portal so far, by the smaller of the two termination values.
typedef struct Best {
    Support r1, r2, r3, r4;
    RbDd3 e;
    double reached;
    bool by_tc2;
} Best;

static void keep_best(const Mpr *m, const Support *r4, RbDd3 e, double tc2, double tc3,
                      Best *best) {
    double reached = fmin(tc2, tc3);
    if (!(reached < best->reached)) return;
    *best = (Best){m->r1, m->r2, m->r3, *r4, e, reached, tc2 < tc3};
}

static void answer_best(Mpr *m, const Best *best) {
    m->r1 = best->r1, m->r2 = best->r2, m->r3 = best->r3;
    if (best->by_tc2)
        answer_support(m, RB_MPR_BEST, &best->r4, best->e);
    else
        answer_portal(m, RB_MPR_BEST, best->e);
}

static void refine(Mpr *m) {
    Best best = {.reached = INFINITY};
    m->right_handed =
        dd_positive(dd3_dot(dd3_sub(m->r3.p, m->r0.p), across(&m->r0, &m->r1, &m->r2)));
    for (m->report.rounds_3 = 1; m->report.rounds_3 <= m->options.rounds_max;
         m->report.rounds_3++) {
        RbDd3 n4 = across(&m->r1, &m->r2, &m->r3);
        if (!has_direction(n4)) break;
        if (dd_positive(dd3_dot(m->r0.p, n4))) n4 = dd3_neg(n4);
        RbDd3 e = dd3_unit(n4);
        Support r4 = support(m, e);
        double tc2 = dd3_norm(dd3_cross(r4.p, e)).hi,
               tc3 = fabs(dd3_dot(dd3_sub(r4.p, m->r1.p), e).hi);
        keep_best(m, &r4, e, tc2, tc3, &best);
        m->report.reached = best.reached;
        if (tc2 < m->options.tolerance) return answer_support(m, RB_MPR_TC2, &r4, e);
        if (tc3 < m->options.tolerance) return answer_portal(m, RB_MPR_TC3, e);
        if (!next_portal(m, &r4)) break;
    }
    if (isfinite(best.reached))
        answer_best(m, &best);
    else
        no_answer(m, RB_MPR_PLANAR);
}

void rb_mpr(const RbCore *a, const RbCore *b, Pose X_AB, RbMprOptions options, RbGap *out,
            RbMprReport *report) {
    Mpr m = {
        .A = a, .B = b, .X_AB = X_AB, .options = options, .out = out, .report = {.reached = NAN}};
    if (!v3_finite(X_AB.r))
        no_answer(&m, RB_MPR_CENTRES);
    else if (first_portal(&m) && valid_portal(&m))
        refine(&m);
    if (report) *report = m.report;
}
