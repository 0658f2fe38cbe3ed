// SPDX-License-Identifier: MIT
#include "collide/patch.h"

#include <math.h>
#include <stddef.h>

#include "collide/patch_normal.h"
#include "collide/patch_round.h"

// A facet of a body over the piece: slope of its height, and height over the origin; and for how much the motion of that body counts.
typedef struct Facing {
    double gx, gy, height, part;
} Facing;

// Moments; rates of V and W per unit of (v_x, v_y, v_n, w_x, w_y, w_n) of B, seen from A.
typedef struct Totals {
    double area, volume, square, x, y, xx, xy, yy;
    double volume_rate[6], square_rate[6];
    double deepest, edges; // largest w; length of borders that are edges of a face
} Totals;

// ---- integrals

static void add_rates(Totals *t, const double rates[6], double of_volume, double of_square) {
    for (int j = 0; j < 6; j++) {
        t->volume_rate[j] += of_volume * rates[j];
        t->square_rate[j] += of_square * rates[j];
    }
}

// Where a body moves its surface over a fixed place of the plane rises with v_n - slope . v_t: of B, w falls by that much; as for A, whose w
// rises, B moves the other way.
static void add_rise(const Facing *f, double x, double y, double rates[6]) {
    double z = f->height + f->gx * x + f->gy * y;
    rates[0] += f->part * f->gx, rates[1] += f->part * f->gy, rates[2] -= f->part;
    rates[3] -= f->part * (y + f->gy * z), rates[4] += f->part * (x + f->gx * z);
    rates[5] += f->part * (f->gy * x - f->gx * y);
}

// Six points, exact to the fourth degree (Dunavant 1985).
static void integrate_triangle(const RbPatchPiece *p, int k, const Facing f[2], Totals *t) {
    static const double far[2] = {0.108103018168070, 0.816847572980459};
    static const double near[2] = {0.445948490915965, 0.091576213509771};
    static const double weight[2] = {0.223381589678011, 0.109951743655322};
    const int corner[3] = {0, k, k + 1};
    double area = 0.5 * ((p->x[k] - p->x[0]) * (p->y[k + 1] - p->y[0]) -
                         (p->y[k] - p->y[0]) * (p->x[k + 1] - p->x[0]));
    t->area += area;
    for (int i = 0; i < 6; i++) {
        double x = 0, y = 0, w = 0, dA = area * weight[i / 3], rates[6] = {0};
        for (int j = 0; j < 3; j++) {
            double part = j == i % 3 ? far[i / 3] : near[i / 3];
            x += part * p->x[corner[j]], y += part * p->y[corner[j]], w += part * p->w[corner[j]];
        }
        double dV = dA * w;
        t->volume += dV;
        t->square += dV * w;
        t->x += dV * x, t->y += dV * y;
        t->xx += dV * x * x, t->xy += dV * x * y, t->yy += dV * y * y;
        if (f[0].part > 0) add_rise(&f[0], x, y, rates);
        if (f[1].part > 0) add_rise(&f[1], x, y, rates);
        add_rates(t, rates, dA, 2 * dV);
    }
}

// A border that moves with B sweeps w along it. Simpson's rule is exact here. One that moves with A goes the other way.
static void add_border(const RbPatchPiece *p, int k, const Facing *f, double sign, Totals *t) {
    int next = k + 1 == p->count ? 0 : k + 1;
    double dx = p->x[next] - p->x[k], dy = p->y[next] - p->y[k]; // outward: (dy, -dx)
    for (int i = 0; i < 3; i++) {
        double part = 0.5 * i, weight = sign * f->part * (i == 1 ? 4.0 / 6 : 1.0 / 6);
        double x = p->x[k] + part * dx, y = p->y[k] + part * dy;
        double w = p->w[k] + part * (p->w[next] - p->w[k]);
        double z = f->height + f->gx * x + f->gy * y;
        const double rates[6] = {dy, -dx, 0, dx * z, dy * z, -dy * y - dx * x};
        add_rates(t, rates, weight * w, weight * w * w);
    }
}

static void integrate(const RbPatchPiece *p, const Facing f[2], Totals *t) {
    for (int k = 1; k + 1 < p->count; k++) integrate_triangle(p, k, f, t);
    for (int k = 0; k < p->count; k++) {
        if (p->border[k] == RB_BORDER_B && f[1].part > 0) add_border(p, k, &f[1], 1, t);
        if (p->border[k] == RB_BORDER_A && f[0].part > 0) add_border(p, k, &f[0], -1, t);
    }
}

// height: of the foremost point over the origin.
static Facing facing_of_a(const RbFacet *a, double height, double part) {
    return (Facing){-a->gu, -a->gv, height - a->excess[0] + a->gu * a->u[0] + a->gv * a->v[0],
                    part};
}

static Facing facing_of_b(const RbFacet *b, double height, double part) {
    return (Facing){b->gu, b->gv, height + b->excess[0] - b->gu * b->u[0] - b->gv * b->v[0], part};
}

// Whose motion counts for how much; and what the normal is found from, if that is asked for.
typedef struct Taker {
    Totals totals;
    double part[2];
    RbShared *shared;
} Taker;

static void take_piece(void *taker, const RbPatchView *v, const RbFacet *a, const RbFacet *b,
                       const RbPatchPiece *p) {
    Taker *t = taker;
    const Facing f[2] = {facing_of_a(a, v->heights[0], t->part[0]),
                         facing_of_b(b, v->heights[1], t->part[1])};
    integrate(p, f, &t->totals);
    if (t->shared) rb_shared_add(t->shared, a, b, p);
}

// To which body the normal is fixed: by a face. Nearly: it is between those of two faces that are almost parallel.
typedef enum Fixed { FIXED_TO_NONE, FIXED_TO_A, FIXED_TO_B, FIXED_NEARLY } Fixed;

// The other body moves. With the normal that was found it does not matter which of both does, and their mean does not depend on the order.
static Totals totals_of(const RbPatchView *v, Fixed fixed, RbShared *shared) {
    double of_a = fixed == FIXED_TO_A ? 0 : fixed == FIXED_TO_B ? 1 : 0.5;
    Taker t = {.part = {of_a, 1 - of_a}, .shared = shared};
    rb_each_piece(v, take_piece, &t);
    return t.totals;
}

// ---- the patch

static bool is_polyhedron(const RbCore *c) {
    return c->kind == RB_CORE_BOX || c->kind == RB_CORE_POLYTOPE || c->kind == RB_CORE_HALFSPACE;
}

// Does a face of the core look along m (frame of the core), but for an angle?
static bool has_face(const RbCore *c, Vec3 m, double angle) {
    Vec3 k = v3_abs(m);
    switch (c->kind) {
        case RB_CORE_HALFSPACE: return true;
        case RB_CORE_BOX: // two components vanish
            return k.x + k.y + k.z - fmax(k.x, fmax(k.y, k.z)) < angle;
        case RB_CORE_POLYTOPE:
            for (int i = 0; i < c->polytope->face_count; i++) {
                if (v3_distance(c->polytope->face_normals[i], m) < angle) return true;
            }
            return false;
        default: return false;
    }
}

static Fixed fixed_to(const RbPatchPair *p) {
    const double rounding = 1e-10, nearly = 1e-5;
    Vec3 in_a = m3_tmul_vec(p->X[0].R, p->gap->normal);
    Vec3 in_b = m3_tmul_vec(p->X[1].R, v3_neg(p->gap->normal));
    if (p->core[1]->kind == RB_CORE_HALFSPACE) return FIXED_TO_B;
    bool by_a = has_face(p->core[0], in_a, rounding), by_b = has_face(p->core[1], in_b, rounding);
    if (by_a && p->core[0]->kind == RB_CORE_HALFSPACE) return FIXED_TO_A;
    if (by_a && by_b) return FIXED_NEARLY; // the first is no better than the second
    if (by_a || by_b) return by_a ? FIXED_TO_A : FIXED_TO_B;
    bool shallow = -p->gap->distance < 0.5 * p->radius;
    bool both = shallow && has_face(p->core[0], in_a, nearly) && has_face(p->core[1], in_b, nearly);
    return both ? FIXED_NEARLY : FIXED_TO_NONE;
}

static Wrench wrench_of(const RbPatch *p, const double *rates) {
    Vec3 f = v3_axpy(v3_axpy(v3_scale(rates[0], p->u), rates[1], p->v), rates[2], p->n);
    Vec3 t = v3_axpy(v3_axpy(v3_scale(rates[3], p->u), rates[4], p->v), rates[5], p->n);
    return (Wrench){t, f};
}

static RbPatch empty_patch(const RbGap *gap) {
    Vec3 n = gap->normal, u = v3_perpendicular(n);
    return (RbPatch){
        .origin = v3_lerp(gap->point_a, gap->point_b, 0.5), .u = u, .v = v3_cross(n, u), .n = n};
}

// Against the spot of rounded corners (contact/press.c) this little counts for nothing, and what rounding leaves of it has no
// centre. True: it was taken.
static bool take_moments(const Totals *t, double reach, double depth, RbPatch *out) {
    double spot = 31.4 * reach * depth * depth;
    if (!(t->volume > 1e-6 * spot) || !(t->square > 0)) return false;
    out->area = t->area, out->volume = t->volume, out->square = t->square;
    out->x = t->x / t->volume, out->y = t->y / t->volume;
    out->xx = t->xx / t->volume, out->xy = t->xy / t->volume, out->yy = t->yy / t->volume;
    return true;
}

static void take_slopes(const Totals *t, RbPatch *out) {
    out->volume_slope = wrench_of(out, t->volume_rate);
    out->square_slope = wrench_of(out, t->square_rate);
}

// The slope of what is largest along the normal, turned a little.
static Wrench turned_slope(const RbPatchPair *pair, RbPatchAim aim, RbContactPlane plane,
                           RbPatchView *view) {
    rb_look_along(pair, plane, view);
    Totals t = totals_of(view, FIXED_TO_NONE, NULL);
    RbPatch p = {.u = plane.u, .v = plane.v, .n = plane.n};
    double rates[6];
    for (int j = 0; j < 6; j++)
        rates[j] = aim.of_volume / t.volume * t.volume_rate[j] +
                   aim.of_square / t.square * t.square_rate[j];
    return wrench_of(&p, rates);
}

// Bodies that are deep in each other: as they move, the energy changes with the turn of the normal too (contact-patch.md, (4)). Second
// derivatives by a central difference. The square's slope takes what is missing.
static void add_turning(const RbPatchPair *pair, RbPatchAim aim, RbContactPlane plane,
                        const RbPatchTurning *k, RbPatchView *view, RbPatch *out) {
    double size = hypot(k->turn[0], k->turn[1]), h = 1e-3;
    if (!(size > 0)) return;
    const double step[2] = {h * k->turn[0] / size, h * k->turn[1] / size};
    Wrench plus = turned_slope(pair, aim, rb_turned_plane(plane, step, 1), view);
    Wrench minus = turned_slope(pair, aim, rb_turned_plane(plane, step, -1), view);
    double scale = -out->square / 1.5 * size / (2 * h);
    out->square_slope.t = v3_axpy(out->square_slope.t, scale, v3_sub(plus.t, minus.t));
    out->square_slope.f = v3_axpy(out->square_slope.f, scale, v3_sub(plus.f, minus.f));
    double closer = out->square / 1.5 * k->by_depth;
    out->square_slope.f = v3_axpy(out->square_slope.f, -closer, pair->gap->normal);
}

// The patch along the normal that was found.
static RbPatch leaning_patch(const RbPatchPair *pair, const RbShared *shared, RbPatchView views[2],
                             const RbPatch *empty) {
    RbPatch out = *empty;
    RbPatchTurning turning = {0};
    double depth = -pair->gap->distance;
    RbPatchAim aim = rb_patch_aim(depth, pair->radius);
    const RbPatchView *view = rb_patch_normal(pair, aim, shared, views, &turning);
    out.u = view->plane.u, out.v = view->plane.v, out.n = view->plane.n;
    Totals t = totals_of(view, FIXED_TO_NONE, NULL);
    if (!take_moments(&t, pair->reach, depth, &out)) return out;
    take_slopes(&t, &out);
    add_turning(pair, aim, view->plane, &turning, &views[view == views], &out);
    return out;
}

static Wrench mixed(Wrench a, Wrench b, double k) {
    return (Wrench){v3_lerp(a.t, b.t, k), v3_lerp(a.f, b.f, k)};
}

static double log_press(const RbPatch *p) {
    return 1.5 * log(p->square) - log(p->volume);
}

// d(log(W^1.5/V))
static Wrench press_slope(const RbPatch *p) {
    double by_W = 1.5 / p->square, by_V = -1 / p->volume;
    return (Wrench){v3_axpy(v3_scale(by_W, p->square_slope.t), by_V, p->volume_slope.t),
                    v3_axpy(v3_scale(by_W, p->square_slope.f), by_V, p->volume_slope.f)};
}

// From the patch along the normal of a face to the one that presses most, by the gain G of the logarithm: it rises by h(G) = G s(G), and so its slopes
// are between those of both with the weight h'(G), exactly. What else there is changes by s.
static void mix(RbPatch *p, const RbPatch *q, double little) {
    double gain = log_press(q) - log_press(p), x = (gain / little - 1) / 3;
    if (!(x > 0)) return;
    if (x >= 1) {
        *p = *q;
        return;
    }
    double s = x * x * (3 - 2 * x), rate = s + gain * 6 * x * (1 - x) / (3 * little);
    double press = log_press(p) + gain * s;
    Wrench slope = mixed(press_slope(p), press_slope(q), rate);
    p->area += s * (q->area - p->area);
    p->volume += s * (q->volume - p->volume);
    p->square = exp((press + log(p->volume)) / 1.5);
    p->x += s * (q->x - p->x), p->y += s * (q->y - p->y);
    p->xx += s * (q->xx - p->xx), p->xy += s * (q->xy - p->xy), p->yy += s * (q->yy - p->yy);
    p->volume_slope = mixed(p->volume_slope, q->volume_slope, s);
    double by_V = p->square / 1.5 / p->volume;
    p->square_slope.t = v3_axpy(v3_scale(p->square / 1.5, slope.t), by_V, p->volume_slope.t);
    p->square_slope.f = v3_axpy(v3_scale(p->square / 1.5, slope.f), by_V, p->volume_slope.f);
    p->n = v3_unit(v3_lerp(p->n, q->n, s));
    p->u = v3_unit(v3_axpy(p->u, -v3_dot(p->u, p->n), p->n));
    p->v = v3_cross(p->n, p->u);
}

// The gain below which a normal that is fixed by faces stays. Deep bodies have none: what is largest there is not the energy.
static double little_gain(const RbPatchPair *p, Fixed fixed) {
    double depth = -p->gap->distance / p->radius;
    return fixed == FIXED_TO_NONE ? 0 : 1e-4 * fmin(1, fmax(0, 5 * (0.5 - depth)));
}

// Where a face fixes the normal and little would be gained by another one, it stays: the patch is as exact, and flush bodies have no ridge to
// stand on.
void rb_patch(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, RbPatch *out) {
    *out = empty_patch(gap);
    double depth = -gap->distance;
    if (!(depth > 0)) return;
    if (rb_has_round_patch(a, b)) {
        rb_patch_round(a, b, X_AB, gap, out);
        return;
    }
    if (!is_polyhedron(a) || !is_polyhedron(b)) return;
    RbPatchPair pair = {.core = {a, b},
                        .X = {a->frame, pose_mul(X_AB, b->frame)},
                        .gap = gap,
                        .reach = rb_region_reach(a, b),
                        .radius = a->radius + b->radius};
    RbPatchView views[2];
    RbShared shared = {.radius = pair.radius};
    Fixed fixed = fixed_to(&pair);
    bool halfspace = a->kind == RB_CORE_HALFSPACE || b->kind == RB_CORE_HALFSPACE;
    rb_look_along(&pair, (RbContactPlane){out->origin, out->u, out->v, out->n}, views);
    Totals t = totals_of(views, fixed, halfspace ? NULL : &shared);
    const RbPatch empty = *out;
    if (!take_moments(&t, pair.reach, depth, out)) return;
    take_slopes(&t, out);
    if (halfspace || !(shared.volume > 0)) return;
    double little = little_gain(&pair, fixed);
    // Newton's method finds the gain well where it is small
    if (rb_patch_gain(rb_patch_aim(depth, pair.radius), &shared) < 0.1 * little) return;
    RbPatch leaning = leaning_patch(&pair, &shared, views, &empty);
    if (!(little > 0))
        *out = leaning;
    else if (leaning.volume > 0)
        mix(out, &leaning, little);
}

// ---- a face of any outline

typedef struct OnFace {
    RbPatch *patch;
    double depth, height; // [m] of the foremost point of B, over the origin
    RbFacets facets;      // of B
    bool covered;
    Totals totals;
} OnFace;

static void note_extent(const RbPatchPiece *p, Totals *t) {
    for (int k = 0; k < p->count; k++) {
        int next = k + 1 == p->count ? 0 : k + 1;
        t->deepest = fmax(t->deepest, p->w[k]);
        if (p->border[k] == RB_BORDER_EDGE)
            t->edges += hypot(p->x[next] - p->x[k], p->y[next] - p->y[k]);
    }
}

static bool has_origin(const RbFacet *f) {
    for (int k = 0; k < f->count; k++) {
        int next = k + 1 == f->count ? 0 : k + 1;
        double dx = f->u[next] - f->u[k], dy = f->v[next] - f->v[k];
        if (dy * f->u[k] - dx * f->v[k] < 0) return false;
    }
    return true;
}

// The face is that of a half-space, of which the triangle is a part.
static void take_part(void *taker, const RbFacePart *part) {
    OnFace *o = taker;
    RbFacet a = {.count = 3};
    for (int k = 0; k < 3; k++) {
        Vec3 d = v3_sub(part->v[k], o->patch->origin);
        a.u[k] = v3_dot(d, o->patch->u), a.v[k] = v3_dot(d, o->patch->v);
    }
    o->covered |= has_origin(&a);
    for (int j = 0; j < o->facets.count; j++) {
        const RbFacet *b = &o->facets.facet[j];
        RbPatchPiece p;
        if (rb_is_steep(b) || !rb_piece_of(&a, b, o->depth, part->edge, &p)) continue;
        const Facing f[2] = {{0}, facing_of_b(b, o->height, 1)};
        integrate(&p, f, &o->totals);
        note_extent(&p, &o->totals);
    }
}

void rb_patch_on_face(RbFaceParts *parts, void *user, const RbCore *b, Pose X_AB, const RbGap *gap,
                      RbFacePatch *out) {
    const RbCore plane = {.kind = RB_CORE_HALFSPACE, .size = INFINITY};
    double depth = -gap->distance, small = rb_region_reach(&plane, b);
    *out = (RbFacePatch){.patch = empty_patch(gap)};
    if (!(depth > 0)) return;
    RbPatch *p = &out->patch;
    OnFace o = {.patch = p, .depth = depth, .height = b->radius - 0.5 * depth};
    RbContactPlane across = {p->origin, p->u, p->v, p->n};
    rb_facets(b, pose_mul(X_AB, b->frame), across, -1, RB_OUTLINE_FIXED, fmax(small, depth),
              2 * b->size, &o.facets);
    parts(user, take_part, &o);
    out->deepest = o.totals.deepest, out->area = o.totals.area;
    out->edges = o.totals.edges, out->covered = o.covered;
    if (!take_moments(&o.totals, small, o.covered ? depth : out->deepest, p)) return;
    take_slopes(&o.totals, p); // the normal is fixed to A: the motion of B alone counts
}
