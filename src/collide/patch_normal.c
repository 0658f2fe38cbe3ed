// SPDX-License-Identifier: MIT
#include "collide/patch_normal.h"

#include <math.h>
#include <stddef.h>

static double length_of(double x, double y) { // hypot is dear, and these are not tiny or huge
    return sqrt(x * x + y * y);
}

// ---- the normal

static bool solve(const double m[3], const double b[2], double out[2]) {
    double det = m[0] * m[2] - m[1] * m[1], trace = m[0] + m[2];
    out[0] = (m[2] * b[0] - m[1] * b[1]) / det;
    out[1] = (m[0] * b[1] - m[1] * b[0]) / det;
    return trace < 0 && det > 1e-12 * trace * trace;
}

// The step to where the slope of a root vanishes, which is nearly even where the logarithm is not; where it bends the wrong way, uphill. Returns its length, at most longest.
static double newton(const RbPatchAim *m, double power, double longest, double out[2]) {
    const double *g = m->slope;
    const double bends[3] = {m->bend[0] + g[0] * g[0] / power, m->bend[1] + g[0] * g[1] / power,
                             m->bend[2] + g[1] * g[1] / power};
    double sign = -1;
    if (!solve(bends, m->slope, out)) {
        double bend = fmax(fabs(m->bend[0]), fabs(m->bend[2])) + fabs(m->bend[1]);
        out[0] = m->slope[0] / bend, out[1] = m->slope[1] / bend, sign = 1;
    }
    double size = length_of(out[0], out[1]), cut = size > longest ? longest / size : 1;
    out[0] *= sign * cut, out[1] *= sign * cut;
    return cut * size;
}

// What the slope that is left does to the force, as a part of it.
static double error_of(const RbPatchAim *m, double lever) {
    return lever * length_of(m->slope[0], m->slope[1]);
}

// The aim as it looks from one place, over the tangent plane of another one; it never bends upwards.
typedef struct Model {
    double value, at[2], slope[2], bend[3];
} Model;

static Model model_of(const RbPatchLook *l, const RbContactPlane *plane) {
    const RbContactPlane *own = &l->view.plane;
    Vec3 g = v3_axpy(v3_scale(l->aim.slope[0], own->u), l->aim.slope[1], own->v);
    double ahead = v3_dot(own->n, plane->n);
    Model m = {.value = l->aim.value,
               .at = {v3_dot(own->n, plane->u) / ahead, v3_dot(own->n, plane->v) / ahead},
               .slope = {v3_dot(g, plane->u), v3_dot(g, plane->v)},
               .bend = {l->aim.bend[0], l->aim.bend[1], l->aim.bend[2]}};
    double none[2];
    if (!solve(m.bend, m.slope, none)) {
        double bend = fmax(fabs(m.bend[0]), fabs(m.bend[2])) + fabs(m.bend[1]);
        m.bend[0] = m.bend[2] = -bend, m.bend[1] = 0;
    }
    return m;
}

static void slope_at(const Model *m, const double x[2], double out[2]) {
    const double d[2] = {x[0] - m->at[0], x[1] - m->at[1]};
    out[0] = m->slope[0] + m->bend[0] * d[0] + m->bend[1] * d[1];
    out[1] = m->slope[1] + m->bend[1] * d[0] + m->bend[2] * d[1];
}

static double value_at(const Model *m, const double x[2]) {
    double g[2];
    slope_at(m, x, g);
    return m->value + 0.5 * ((m->slope[0] + g[0]) * (x[0] - m->at[0]) +
                             (m->slope[1] + g[1]) * (x[1] - m->at[1]));
}

// Where part of the one and the rest of the other are largest together.
static void largest_of(const Model m[2], double part, double out[2]) {
    const double zero[2] = {0, 0};
    double g[2][2], slope[2], bend[3];
    slope_at(&m[0], zero, g[0]), slope_at(&m[1], zero, g[1]);
    for (int i = 0; i < 2; i++) slope[i] = part * g[0][i] + (1 - part) * g[1][i];
    for (int i = 0; i < 3; i++) bend[i] = part * m[0].bend[i] + (1 - part) * m[1].bend[i];
    solve(bend, slope, out);
    out[0] = -out[0], out[1] = -out[1];
}

// Where the smaller one of both is largest: on one of them, or on the ridge between. Returns the part of the first.
static double ridge_of(const Model m[2], double out[2]) {
    double low = 0, high = 1;
    largest_of(m, 1, out);
    if (value_at(&m[0], out) <= value_at(&m[1], out)) return 1;
    largest_of(m, 0, out);
    if (value_at(&m[1], out) <= value_at(&m[0], out)) return 0;
    for (int i = 0; i < 50; i++) {
        double part = 0.5 * (low + high);
        largest_of(m, part, out);
        if (value_at(&m[0], out) < value_at(&m[1], out))
            low = part;
        else
            high = part;
    }
    return 0.5 * (low + high);
}

static double apart(const double a[2], const double b[2]) {
    return length_of(a[0] - b[0], a[1] - b[1]);
}

// After a step that led too far: to where the tangents of both ends meet, as a part of it. (A parabola would not do: the aim has kinks, and bends that are narrow.)
static double shorter(const RbPatchAim *here, const RbPatchAim *there, const double step[2]) {
    double rise = here->slope[0] * step[0] + here->slope[1] * step[1];
    double end = there->slope[0] * step[0] + there->slope[1] * step[1];
    double part = (there->value - here->value - end) / (rise - end);
    return part > 0.02 && part < 0.9 ? part : 0.25;
}

// The best look, one on the other flank of a ridge, and a place for the next.
typedef struct Search {
    const RbPatchPair *pair;
    double power;   // of the root that is nearly even
    double lever;   // of slopes, as errors of the force
    double longest; // [rad] step
    RbPatchLook *here, *other, *next;
    int cuts;    // of steps that led too far
    bool two;    // there is a ridge, and the other flank is known
    double part; // of here, on the ridge
} Search;

static void swap(RbPatchLook **a, RbPatchLook **b) {
    RbPatchLook *keep = *a;
    *a = *b, *b = keep;
}

static const double FINE = 1e-9;     // of the force
static const double ROUNDING = 1e-7; // of the aim, much more than it is

enum { LOOKS = 60, CUTS = 2 }; // at most; steps that lead too far before a ridge is suspected

// Newton's method, as long as it leads up. False: that was all.
static bool step_up(Search *s) {
    const double near = 1e-6; // of the aim
    double step[2], error = error_of(&s->here->aim, s->lever);
    double size = newton(&s->here->aim, s->power, s->longest, step);
    if (!(size > 0) || error < FINE) return false;
    rb_patch_look(s->pair, rb_turned_plane(s->here->view.plane, step, 1), s->next);
    double rise = s->next->aim.value - s->here->aim.value;
    bool nearer = error_of(&s->next->aim, s->lever) < 0.5 * error && rise > -ROUNDING;
    if (rise > 0 || nearer) {
        swap(&s->here, &s->next);
        if (size >= s->longest) s->longest *= 2;
    } else {
        s->longest = size * shorter(&s->here->aim, &s->next->aim, step);
        s->two = ++s->cuts >= CUTS && rise > -near;
        swap(&s->other, &s->next);
    }
    return true;
}

// Slopes differ by more than the bends say.
static bool is_ridge(const RbPatchLook *here, const RbPatchLook *other) {
    const Model a = model_of(here, &here->view.plane), b = model_of(other, &here->view.plane);
    double expected[2];
    slope_at(&a, b.at, expected);
    return apart(b.slope, expected) > 0.5 * apart(b.slope, a.slope);
}

// There is no ridge after all.
static bool leave(Search *s, double longest) {
    s->two = false, s->cuts = 0, s->longest = longest;
    return true;
}

// Steps lead too far, to the other flank of a ridge or over a sharp bend. Both flanks are known as paraboloids. The next look is where the lower one of these is largest,
// and takes the place of the one that it is more like. False: that was all.
static bool step_between(Search *s) {
    const RbContactPlane plane = s->here->view.plane;
    const Model m[2] = {model_of(s->here, &plane), model_of(s->other, &plane)};
    double x[2], slope[2][2], error = error_of(&s->here->aim, s->lever);
    double wide = apart(m[0].at, m[1].at);
    const double close = 2.4e-6; // [rad] facets that stand upright are seen from 1e-6 on
    s->part = ridge_of(m, x);
    if (s->part == 0) swap(&s->here, &s->other);
    if (s->part == 0 || s->part == 1 || !is_ridge(s->here, s->other)) return leave(s, 0.5 * wide);
    if (wide < close) return false;
    if (apart(x, m[0].at) < FINE) // the other one is still to come as near
        for (int i = 0; i < 2; i++) x[i] += 0.5 * close / wide * (m[1].at[i] - x[i]);
    const double trusted = 1e-4; // rise of the aim
    if (!(value_at(&m[0], x) < m[0].value + trusted)) return leave(s, 0.5 * wide);
    rb_patch_look(s->pair, rb_turned_plane(plane, x, 1), s->next);
    if (!isfinite(s->next->aim.value)) return leave(s, 0.25 * wide);
    const Model there = model_of(s->next, &plane);
    for (int i = 0; i < 2; i++) slope_at(&m[i], x, slope[i]);
    bool on_other = apart(there.slope, slope[1]) < apart(there.slope, slope[0]);
    swap(on_other ? &s->other : &s->here, &s->next);
    if (s->other->aim.value > s->here->aim.value) swap(&s->other, &s->here);
    return error_of(&s->here->aim, s->lever) < 0.25 * error ? leave(s, wide) : true;
}

// Logarithms of piecewise polynomials bend sharply where facets come into sight, and have ridges where sides of both are flush.
RbPatchLook *rb_patch_normal(const RbPatchPair *p, RbPatchLook looks[3], RbPatchLook **other,
                             double *part) {
    Search s = {.pair = p,
                .power = p->goal == RB_GOAL_DEEP ? 3 : 4,
                .lever = -p->gap->distance / p->radius,
                .longest = INFINITY,
                .here = &looks[0],
                .other = &looks[1],
                .next = &looks[2],
                .part = 1};
    for (int i = 0; i < LOOKS && isfinite(s.here->aim.value) && s.longest > 1e-7 * s.lever; i++) {
        if (!(s.two ? step_between(&s) : step_up(&s))) break;
    }
    *other = s.two && s.part > 0 && s.part < 1 ? s.other : NULL;
    *part = *other ? s.part : 1;
    return s.here;
}

RbPatchLook *rb_patch_most_volume(const RbPatchPair *p, RbPatchLook *here, RbPatchLook *next,
                                  Vec3 *n) {
    enum { STEPS = 8 };
    const double longest = 0.5; // [rad]
    double step[2], lever = -p->gap->distance / p->radius;
    for (int i = 0; i < STEPS; i++) {
        double error = error_of(&here->volume_aim, lever);
        *n = here->view.plane.n;
        if (error < FINE) return here;
        if (!(newton(&here->volume_aim, 3, longest, step) > 0)) return NULL;
        rb_patch_look(p, rb_turned_plane(here->view.plane, step, 1), next);
        double rise = next->volume_aim.value - here->volume_aim.value;
        bool nearer = error_of(&next->volume_aim, lever) < 0.5 * error && rise > -ROUNDING;
        if (!(rise > 0 || nearer)) return NULL;
        swap(&here, &next);
    }
    return NULL;
}

// ---- where it is not the energy that is largest

// d(aim) as B moves, with the mean of both bodies' motions, and its slope by a turn of the normal.
typedef struct Slopes {
    Wrench wrench;
    double normal[2];
} Slopes;

static Slopes slopes_of(const RbPatchLook *l) {
    double rates[6];
    for (int j = 0; j < 6; j++) rates[j] = 0.5 * (l->aim.by_a[j] + l->aim.by_b[j]);
    return (Slopes){rb_patch_wrench(l->view.plane, rates), {l->aim.slope[0], l->aim.slope[1]}};
}

static void press_by_normal(const RbPatchMoments *m, double out[2]) {
    double V[2], W[2];
    rb_slope_by_normal(m->by_a.volume, m->by_b.volume, V);
    rb_slope_by_normal(m->by_a.square, m->by_b.square, W);
    for (int i = 0; i < 2; i++) out[i] = 1.5 * W[i] / m->square - V[i] / m->volume;
}

// d(log U) by the normal; on a ridge of both flanks, as they count.
static Vec3 press_by_turn(const RbPatchLook *l) {
    double g[2];
    press_by_normal(&l->moments, g);
    return v3_axpy(v3_scale(g[0], l->view.plane.u), g[1], l->view.plane.v);
}

// u across the ridge, away from the other flank
static RbContactPlane plane_across(const RbPatchLook *look, const RbPatchLook *other) {
    RbContactPlane p = look->view.plane;
    const Model a = model_of(look, &p), b = model_of(other, &p);
    Vec3 u = v3_axpy(v3_scale(b.slope[0] - a.slope[0], p.u), b.slope[1] - a.slope[1], p.v);
    p.u = v3_unit_or(u, p.u);
    if (v3_dot(p.u, other->view.plane.n) > 0) p.u = v3_neg(p.u);
    p.v = v3_cross(p.n, p.u);
    return p;
}

static Slopes difference(const Slopes *a, const Slopes *b, double k) {
    return (Slopes){{v3_scale(k, v3_sub(a->wrench.t, b->wrench.t)),
                     v3_scale(k, v3_sub(a->wrench.f, b->wrench.f))},
                    {k * (a->normal[0] - b->normal[0]), k * (a->normal[1] - b->normal[1])}};
}

// How the slopes change with a turn of the normal, by a central difference.
static Slopes bend_along(const RbPatchPair *pair, RbContactPlane plane, const double step[2],
                         RbPatchLook *scratch) {
    double h = length_of(step[0], step[1]);
    rb_patch_look(pair, rb_turned_plane(plane, step, 1), scratch);
    Slopes plus = slopes_of(scratch);
    rb_patch_look(pair, rb_turned_plane(plane, step, -1), scratch);
    Slopes minus = slopes_of(scratch);
    return difference(&plus, &minus, 0.5 / h);
}

// The normal may turn as it likes. Both derivatives of the aim are differences over the same way: next to a kink, where sides are flush within rounding, both see it or
// none does. (With exact bends and kinks in the other one flush cubes had side forces of 15 times the normal one.)
static bool turning_freely(const RbPatchPair *pair, const RbPatchLook *look, RbPatchLook *scratch,
                           Wrench *out) {
    const double h = 1e-5, across[2] = {h, 0}, up[2] = {0, h}; // [rad]
    double g[2], y[2];
    Slopes u = bend_along(pair, look->view.plane, across, scratch);
    Slopes v = bend_along(pair, look->view.plane, up, scratch);
    const double bends[3] = {u.normal[0], 0.5 * (u.normal[1] + v.normal[0]), v.normal[1]};
    press_by_normal(&look->moments, g);
    if (!solve(bends, g, y)) return false;
    out->t = v3_neg(v3_axpy(v3_scale(y[0], u.wrench.t), y[1], v.wrench.t));
    out->f = v3_neg(v3_axpy(v3_scale(y[0], u.wrench.f), y[1], v.wrench.f));
    return true;
}

// On a ridge the normal goes with it, and is free along it.
static bool turning_on_ridge(const RbPatchPair *pair, const RbPatchLook *look,
                             const RbPatchLook *other, double part, RbPatchLook *scratch,
                             Wrench *out) {
    const double h = 1e-5, aside[2] = {0.5 * h, 0}, up[2] = {0, h};
    const RbContactPlane plane = plane_across(look, other);
    Vec3 g = v3_lerp(press_by_turn(other), press_by_turn(look), part);
    Slopes here = slopes_of(look), there = slopes_of(other), u = difference(&there, &here, 1);
    const Model a = model_of(look, &plane), b = model_of(other, &plane);
    Slopes v = bend_along(pair, rb_turned_plane(plane, aside, 1), up, scratch);
    u.normal[0] = b.slope[0] - a.slope[0];
    if (!(v.normal[1] < 0) || u.normal[0] == 0) return false;
    double y1 = v3_dot(g, plane.v) / v.normal[1];
    double y0 = (v3_dot(g, plane.u) - v.normal[0] * y1) / u.normal[0];
    out->t = v3_neg(v3_axpy(v3_scale(y0, u.wrench.t), y1, v.wrench.t));
    out->f = v3_neg(v3_axpy(v3_scale(y0, u.wrench.f), y1, v.wrench.f));
    return true;
}

// (2e). Where sides are flush to rounding what is left of kinks may be anything. But a normal that goes with a ridge turns by dx over the way of A, and the force has
// no more than twice of that.
bool rb_patch_turning(const RbPatchPair *pair, const RbPatchLook *look, const RbPatchLook *other,
                      double part, RbPatchLook *scratch, Wrench *out) {
    bool turns = other ? turning_on_ridge(pair, look, other, part, scratch, out)
                       : turning_freely(pair, look, scratch, out);
    if (!turns) return false;
    Vec3 g = press_by_turn(look);
    if (other) g = v3_lerp(press_by_turn(other), g, part);
    double most = 2 * v3_norm(g) / rb_deep_way(pair), size = v3_norm(out->f);
    if (size > most) out->f = v3_scale(most / size, out->f), out->t = v3_scale(most / size, out->t);
    return true;
}
