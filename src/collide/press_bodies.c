// SPDX-License-Identifier: MIT
// How two bodies press: by the general rule (pressing.h), where faces lie on each other by sums over these (press_faces.h), and in between by both. All
// are energies with exact slopes.
#include <math.h>

#include "collide/patch.h"
#include "collide/patch_along.h"
#include "collide/press_faces.h"
#include "collide/pressing.h"

static Wrench mix_of(Wrench a, Wrench b, double s) {
    return (Wrench){v3_lerp(a.t, b.t, s), v3_lerp(a.f, b.f, s)};
}

// From slopes about one place to those about another.
static Wrench about(Wrench w, Vec3 from, Vec3 to) {
    return (Wrench){v3_sub(w.t, v3_cross(v3_sub(to, from), w.f)), w.f};
}

// U/E* = C W^1.5/V of the faces, and its slope.
static void press_by_faces(RbPatch *p) {
    const Wrench *V = &p->volume_slope, *W = &p->square_slope;
    p->energy = RB_PATCH_SHARE * p->square * sqrt(p->square) / p->volume;
    double by_V = -p->energy / p->volume, by_W = 1.5 * p->energy / p->square;
    p->energy_slope.t = v3_axpy(v3_scale(by_V, V->t), by_W, W->t);
    p->energy_slope.f = v3_axpy(v3_scale(by_V, V->f), by_W, W->f);
}

// ---- both

static Vec3 centre_of(const RbPatch *p) {
    return v3_axpy(v3_axpy(p->origin, p->x, p->u), p->y, p->v);
}

// Of the second moments about the centre, along d and e across n.
static double moment_along(const RbPatch *p, Vec3 d, Vec3 e) {
    double du = v3_dot(d, p->u), dv = v3_dot(d, p->v), eu = v3_dot(e, p->u), ev = v3_dot(e, p->v);
    double xx = p->xx - p->x * p->x, xy = p->xy - p->x * p->y, yy = p->yy - p->y * p->y;
    return du * eu * xx + (du * ev + dv * eu) * xy + dv * ev * yy;
}

static void mix_moments(const RbPatch *p, const RbPatch *q, double s, RbPatch *out) {
    Vec3 centre = v3_lerp(centre_of(p), centre_of(q), s);
    out->n = v3_unit(v3_lerp(p->n, q->n, s));
    out->u = v3_unit(v3_axpy(p->u, -v3_dot(p->u, out->n), out->n));
    out->v = v3_cross(out->n, out->u);
    const RbPatch *const of[2] = {p, q};
    const double share[2] = {1 - s, s};
    out->area = out->volume = out->square = 0, out->xx = out->xy = out->yy = 0;
    Vec3 from = v3_sub(centre, out->origin);
    out->x = v3_dot(from, out->u), out->y = v3_dot(from, out->v);
    for (int i = 0; i < 2; i++) {
        out->area += share[i] * of[i]->area, out->volume += share[i] * of[i]->volume;
        out->square += share[i] * of[i]->square;
        Vec3 arm = v3_sub(centre_of(of[i]), centre);
        double x = v3_dot(arm, out->u), y = v3_dot(arm, out->v);
        out->xx += share[i] * (moment_along(of[i], out->u, out->u) + x * x);
        out->xy += share[i] * (moment_along(of[i], out->u, out->v) + x * y);
        out->yy += share[i] * (moment_along(of[i], out->v, out->v) + y * y);
    }
    out->xx += out->x * out->x, out->xy += out->x * out->y, out->yy += out->y * out->y;
}

// The faces by the share s, whose slope is about the origin of their patch.
static void mix(const RbPatch *rule, const RbPatch *faces, double s, Wrench slope, RbPatch *out) {
    Vec3 to = rule->origin;
    Wrench by_faces = about(faces->energy_slope, faces->origin, to);
    Wrench by_share = about(slope, faces->origin, to);
    double more = faces->energy - rule->energy;
    Wrench both = mix_of(rule->energy_slope, by_faces, s);
    *out = *rule;
    mix_moments(rule, faces, s, out);
    out->energy = rule->energy + s * more;
    out->energy_slope.t = v3_axpy(both.t, more, by_share.t);
    out->energy_slope.f = v3_axpy(both.f, more, by_share.f);
}

static bool is_polyhedron(const RbCore *c) {
    return c->kind == RB_CORE_BOX || c->kind == RB_CORE_POLYTOPE || c->kind == RB_CORE_HALFSPACE;
}

static bool has_patch(const RbCore *c) {
    return c->kind != RB_CORE_POINT && c->kind != RB_CORE_ELLIPSOID;
}

void rb_patch(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, RbPatch *out) {
    *out = rb_empty_patch(gap);
    if (!(gap->distance < 0) || !has_patch(a) || !has_patch(b)) return;
    if (is_polyhedron(a) && is_polyhedron(b)) {
        rb_patch_by_sums(a, b, X_AB, gap, out);
        return;
    }
    RbFacings facings;
    rb_find_facings(a, b, X_AB, gap, &facings);
    RbPatch faces = *out, rule = *out;
    Wrench slope;
    double s = 0;
    if (facings.count > 0) {
        rb_patch_by_faces(a, b, X_AB, gap, &faces);
        s = rb_share_of_faces(&facings, &faces, &slope);
        if (s > 0) press_by_faces(&faces);
    }
    bool done = s < 1 && rb_pressing_patch(a, b, X_AB, gap, &rule);
    if (s >= 1 || (s > 0 && !done)) {
        *out = faces;
    } else if (done && s > 0) {
        mix(&rule, &faces, s, slope, out);
    } else if (done) {
        *out = rule;
    } else {
        rb_patch_by_sums(a, b, X_AB, gap, out);
    }
}
