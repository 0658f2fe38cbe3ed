// SPDX-License-Identifier: MIT
#include "collide/patch_normal.h"

#include <math.h>
#include <stddef.h>

#include "collide/patch_shared.h"

// ---- how V and W bend with the normal

static double length_of(double x, double y) { // hypot is dear, and these are not tiny or huge
    return sqrt(x * x + y * y);
}

// With a turn of n towards u and v, as if chords of the common part ended at faces that look along the normal (contact-patch.md, (2b)).
typedef struct Bends {
    double radius;
    double V[3], W[3]; // uu, uv, vv; with what it costs that n stays on the sphere
} Bends;

static void add_outer(double out[3], double k, const double a[2], const double b[2]) {
    out[0] += k * a[0] * b[0];
    out[1] += k * 0.5 * (a[0] * b[1] + a[1] * b[0]);
    out[2] += k * a[1] * b[1];
}

// A is moved by s = radius n towards B, V(s) is the volume that both share then, and W = 2 ∫ V(sigma n) d(sigma) (contact-patch.md, (2b)). That is
// so as long as chords of the common part end at faces that look along the normal; what else there is Newton's method can do without.

// ∫ 2 (r - tau)² d(tau) from 0 to w, given the means of w, w², w³
static double twice(double r, double w, double ww, double www) {
    return 2 * (r * r * w - r * ww + www / 3);
}

static void side_of(const RbFacet *f, int k, double out[2]) {
    int next = k + 1 == f->count ? 0 : k + 1;
    out[0] = f->u[next] - f->u[k], out[1] = f->v[next] - f->v[k];
}

// Where a border of A ends at one of B it grows or shrinks as A moves. end: +1, -1: where it begins. (Inside of a body the borders of neighbours
// take that back, so it matters where silhouettes of both cross.)
static void add_end(const RbFacet *a, int of_a, const RbFacet *b, int of_b, double w, double end,
                    Bends *t) {
    double along[2], other[2], r = t->radius;
    side_of(a, of_a, along), side_of(b, of_b, other);
    double length = length_of(along[0], along[1]), sine = along[1] * other[0] - along[0] * other[1];
    if (!(fabs(sine) > 1e-9 * length * length_of(other[0], other[1]))) return;
    const double to[2] = {along[0] / length, along[1] / length}, nu[2] = {to[1], -to[0]};
    double slant = (along[0] * other[0] + along[1] * other[1]) / sine;
    const double grows[2] = {slant * nu[0] - to[0], slant * nu[1] - to[1]};
    add_outer(t->V, end * r * r * w, nu, grows);
    add_outer(t->W, end * twice(r, w * w / 2, w * w * w / 3, w * w * w * w / 4), nu, grows);
}

// A border that moves with A. Outward normal times length is (dy, -dx), and w is linear along it.
static void add_border(const RbPatchPiece *p, int k, const RbFacet *a, const RbFacet *b, Bends *t) {
    int next = k + 1 == p->count ? 0 : k + 1, before = k == 0 ? p->count - 1 : k - 1;
    double r = t->radius, w0 = p->w[k], w1 = p->w[next];
    const double nu[2] = {p->y[next] - p->y[k], p->x[k] - p->x[next]};
    const double slopes[2] = {b->gu - a->gu, b->gv - a->gv}; // of f_A and f_B together
    double w = 0.5 * (w0 + w1), ww = (w0 * w0 + w0 * w1 + w1 * w1) / 3;
    double www = 0.25 * (w0 + w1) * (w0 * w0 + w1 * w1);
    add_outer(t->V, -r * r, nu, slopes);
    add_outer(t->W, -twice(r, w, ww, www), nu, slopes);
    if (p->border[next] == RB_BORDER_B) add_end(a, p->side[k], b, p->side[next], w1, 1, t);
    if (p->border[before] == RB_BORDER_B) add_end(a, p->side[k], b, p->side[before], w0, -1, t);
}

// area, volume, square: of the piece
static void add_bends(const RbPatchPiece *p, const RbFacet *a, const RbFacet *b, double area,
                      double volume, double square, Bends *t) {
    const double of_a[2] = {-a->gu, -a->gv};
    double r = t->radius, steep = length_of(a->gu + b->gu, a->gv + b->gv); // of w
    add_outer(t->W, 2 * (r * r * area - 2 * r * volume + square), of_a, of_a);
    for (int k = 0; k < p->count; k++) {
        int next = k + 1 == p->count ? 0 : k + 1;
        if (p->border[k] == RB_BORDER_A) add_border(p, k, a, b, t);
        if (p->border[k] == RB_BORDER_ZERO && steep > 0) {
            double length = length_of(p->x[next] - p->x[k], p->y[next] - p->y[k]);
            add_outer(t->V, r * r * length / steep, of_a, of_a);
        }
    }
}

// ---- what the normal makes largest

// Phi = log(V)/2 + chi(log D) + lambda(log D) log(S/V)/2,   D = W/V, S the volume that is shared: up to some part of the radius chi' = 1.5 and lambda = 0 make it
// log(W^1.5/V). From another one on, where long chords across both bodies would lead astray, chi' = 0 and lambda = 1 make it log(S)/2.
typedef struct Change {
    double chi, rate, bend; // and derivatives by log D
    double part, part_rate;
} Change;

static Change change_at(double log_ratio) {
    const double from = log(0.5), range = log(2), sharp = log(1000);
    double x = (log_ratio - from) / range, c = fmax(0, fmin(1, x)), s = c * c * (3 - 2 * c);
    // Edges next to no rounding have no S that depends on the normal: V takes its place again.
    double y = fmax(0, fmin(1, (log_ratio - sharp) / range)), left = 1 - y * y * (3 - 2 * y);
    return (Change){.chi = 1.5 * (from + range * (x < 0 ? x : c - c * c * c + 0.5 * c * c * c * c)),
                    .rate = 1.5 * (1 - s),
                    .bend = -9 * c * (1 - c) / range,
                    .part = s * left,
                    .part_rate = (6 * c * (1 - c) * left - 6 * y * (1 - y) * s) / range};
}

static void combine(RbPatchAim *out, const double V[6], const double W[6], const double S[6],
                    double rates[6]) {
    for (int j = 0; j < 6; j++)
        rates[j] = out->of_volume * V[j] + out->of_square * W[j] + out->of_shared * S[j];
}

static RbPatchAim aim_of(const RbPatchPair *pair, RbContactPlane plane, const RbPatchMoments *m,
                         const Bends *t) {
    RbPatchAim out = {.value = -INFINITY};
    if (!(m->volume > 0) || !(m->square > 0)) return out;
    Change k = change_at(log(m->square / m->volume / pair->radius));
    RbShared shared = {.volume = m->volume};
    if (k.part > 0) {
        shared = rb_shared_volume(pair, plane);
        if (!(shared.volume > 0)) return out;
    }
    double excess = log(shared.volume / m->volume);
    double of_ratio = k.rate + 0.5 * k.part_rate * excess;
    out.value = 0.5 * log(m->volume) + k.chi + 0.5 * k.part * excess;
    out.of_volume = (0.5 * (1 - k.part) - of_ratio) / m->volume;
    out.of_square = of_ratio / m->square, out.of_shared = 0.5 * k.part / shared.volume;
    combine(&out, m->by_a.volume, m->by_a.square, shared.by_a, out.by_a);
    combine(&out, m->by_b.volume, m->by_b.square, shared.by_b, out.by_b);
    rb_slope_by_normal(out.by_a, out.by_b, out.slope);
    double V[2], W[2], v = 0.5 - of_ratio;
    rb_slope_by_normal(m->by_a.volume, m->by_b.volume, V);
    rb_slope_by_normal(m->by_a.square, m->by_b.square, W);
    for (int i = 0; i < 2; i++) V[i] /= m->volume, W[i] /= m->square;
    for (int i = 0; i < 3; i++)
        out.bend[i] = v * t->V[i] / m->volume + of_ratio * t->W[i] / m->square;
    const double ratio[2] = {W[0] - V[0], W[1] - V[1]};
    add_outer(out.bend, -v, V, V), add_outer(out.bend, -of_ratio, W, W);
    add_outer(out.bend, k.bend, ratio, ratio);
    return out;
}

// The logarithm of the volume that is shared. Its bends as A is moved are exact; n goes around the sphere.
static RbPatchAim shared_aim(const RbPatchPair *pair, RbContactPlane plane) {
    RbShared s = rb_shared_volume(pair, plane);
    double r = pair->radius, around = r * s.by_a[2];
    RbPatchAim out = {.value = -INFINITY};
    if (!(s.volume > 0)) return out;
    Vec3 u = m3_mul_vec(s.bend, plane.u), v = m3_mul_vec(s.bend, plane.v);
    out.value = log(s.volume);
    out.bend[0] = r * r * v3_dot(plane.u, u) + around;
    out.bend[1] = 0.5 * r * r * (v3_dot(plane.u, v) + v3_dot(plane.v, u));
    out.bend[2] = r * r * v3_dot(plane.v, v) + around;
    for (int i = 0; i < 3; i++) out.bend[i] /= s.volume;
    for (int j = 0; j < 6; j++)
        out.by_a[j] = s.by_a[j] / s.volume, out.by_b[j] = s.by_b[j] / s.volume;
    rb_slope_by_normal(out.by_a, out.by_b, out.slope);
    add_outer(out.bend, -1, out.slope, out.slope);
    return out;
}

// ---- looks

typedef struct Taker {
    RbPatchMoments *moments;
    Bends *bends;
} Taker;

static void take_piece(void *taker, const RbPatchView *v, const RbFacet *a, const RbFacet *b,
                       const RbPatchPiece *p) {
    Taker *t = taker;
    RbPatchMoments *m = t->moments;
    double area = m->area, volume = m->volume, square = m->square;
    rb_patch_moments_add(p, a, b, v->heights, m);
    add_bends(p, a, b, m->area - area, m->volume - volume, m->square - square, t->bends);
}

static bool halfspace(const RbPatchPair *p) {
    return p->core[0]->kind == RB_CORE_HALFSPACE || p->core[1]->kind == RB_CORE_HALFSPACE;
}

void rb_patch_look(const RbPatchPair *pair, RbContactPlane plane, RbPatchLook *out) {
    if (pair->goal == RB_GOAL_SHARED) {
        out->view.plane = plane, out->aim = shared_aim(pair, plane);
        return;
    }
    RbPatchMoments *m = &out->moments;
    Bends bends = {.radius = pair->radius};
    *m = (RbPatchMoments){0};
    out->view = rb_look_along(pair, plane);
    rb_each_piece(pair, &out->view, take_piece, &(Taker){m, &bends});
    double V = pair->radius * m->area, W = 2 * pair->radius * m->volume - m->square;
    bends.V[0] -= V, bends.V[2] -= V;
    bends.W[0] -= W, bends.W[2] -= W;
    if (halfspace(pair))
        out->aim = (RbPatchAim){.value = NAN};
    else
        out->aim = aim_of(pair, plane, m, &bends);
}

// ---- the normal

static bool solve(const double m[3], const double b[2], double out[2]) {
    double det = m[0] * m[2] - m[1] * m[1], trace = m[0] + m[2];
    out[0] = (m[2] * b[0] - m[1] * b[1]) / det;
    out[1] = (m[0] * b[1] - m[1] * b[0]) / det;
    return trace < 0 && det > 1e-12 * trace * trace;
}

// The step to where the slope vanishes; where it bends the wrong way, uphill. Returns its length, at most longest.
static double newton(const RbPatchAim *m, double longest, double out[2]) {
    double sign = -1;
    if (!solve(m->bend, m->slope, out)) {
        double bend = fmax(fabs(m->bend[0]), fabs(m->bend[2])) + fabs(m->bend[1]);
        out[0] = m->slope[0] / bend, out[1] = m->slope[1] / bend, sign = 1;
    }
    double size = length_of(out[0], out[1]), cut = size > longest ? longest / size : 1;
    out[0] *= sign * cut, out[1] *= sign * cut;
    return cut * size;
}

RbContactPlane rb_turned_plane(RbContactPlane p, const double step[2], double k) {
    p.n = v3_unit(v3_axpy(v3_axpy(p.n, k * step[0], p.u), k * step[1], p.v));
    p.u = v3_unit(v3_axpy(p.u, -v3_dot(p.u, p.n), p.n));
    p.v = v3_cross(p.n, p.u);
    return p;
}

// What the slope that is left does to the force, as a part of it.
static double error_of(const RbPatchAim *m, double lever) {
    return lever * length_of(m->slope[0], m->slope[1]);
}

double rb_patch_gain(const RbPatchAim *m) {
    double step[2];
    newton(m, INFINITY, step);
    return 0.5 * (m->slope[0] * step[0] + m->slope[1] * step[1]);
}

double rb_patch_loss(const RbPatchLook *look, Vec3 m) {
    const RbContactPlane *p = &look->view.plane;
    const double *k = look->aim.bend, x = v3_dot(m, p->u), y = v3_dot(m, p->v);
    return -(look->aim.slope[0] * x + look->aim.slope[1] * y) -
           0.5 * (k[0] * x * x + 2 * k[1] * x * y + k[2] * y * y);
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

static const double FINE = 1e-9; // of the force

// How many steps may lead too far before a ridge is suspected, and how many looks there are. The shared volume has sharp bends rather than ridges.
static const struct Patience {
    int cuts, looks;
} patience[] = {[RB_GOAL_ENERGY] = {2, 30}, [RB_GOAL_SHARED] = {8, 300}};

// Newton's method, as long as it leads up. False: that was all.
static bool step_up(Search *s) {
    const double rounding = 1e-7, near = 1e-6; // of the aim
    double step[2], error = error_of(&s->here->aim, s->lever);
    double size = newton(&s->here->aim, s->longest, step);
    if (!(size > 0) || error < FINE) return false;
    rb_patch_look(s->pair, rb_turned_plane(s->here->view.plane, step, 1), s->next);
    double rise = s->next->aim.value - s->here->aim.value;
    bool nearer = error_of(&s->next->aim, s->lever) < 0.5 * error && rise > -rounding;
    if (rise > 0 || nearer) {
        swap(&s->here, &s->next);
        if (size >= s->longest) s->longest *= 2;
    } else {
        s->longest = size * shorter(&s->here->aim, &s->next->aim, step);
        s->two = ++s->cuts >= patience[s->pair->goal].cuts && rise > -near;
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
    Search s = {
        p, -p->gap->distance / p->radius, INFINITY, &looks[0], &looks[1], &looks[2], 0, false, 1};
    for (int i = 0;
         i < patience[p->goal].looks && isfinite(s.here->aim.value) && s.longest > 1e-7 * s.lever;
         i++) {
        if (!(s.two ? step_between(&s) : step_up(&s))) break;
    }
    *other = s.two && s.part > 0 && s.part < 1 ? s.other : NULL;
    *part = *other ? s.part : 1;
    return s.here;
}

// ---- where it is not the energy that is largest

Wrench rb_patch_wrench(RbContactPlane p, const double rates[6]) {
    Vec3 f = v3_axpy(v3_axpy(v3_scale(rates[0], p.u), rates[1], p.v), rates[2], p.n);
    Vec3 t = v3_axpy(v3_axpy(v3_scale(rates[3], p.u), rates[4], p.v), rates[5], p.n);
    return (Wrench){t, f};
}

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
    if (!other) return p;
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

// (2d). On a ridge the normal goes with it, and is free along it.
bool rb_patch_turning(const RbPatchPair *pair, const RbPatchLook *look, const RbPatchLook *other,
                      double part, RbPatchLook *scratch, Wrench *out) {
    const double h = 1e-5, across[2] = {h, 0}, aside[2] = {0.5 * h, 0}, up[2] = {0, h};
    if (!(look->aim.of_shared > 0)) return false;
    const RbContactPlane plane = plane_across(look, other);
    Vec3 g = press_by_turn(look);
    if (other) g = v3_lerp(press_by_turn(other), g, part);
    const double by_normal[2] = {v3_dot(g, plane.u), v3_dot(g, plane.v)};
    double turn[2];
    Slopes u, v;
    if (other) {
        Slopes here = slopes_of(look), there = slopes_of(other);
        const Model a = model_of(look, &plane), b = model_of(other, &plane);
        u = difference(&there, &here, 1);
        u.normal[0] = b.slope[0] - a.slope[0];
        v = bend_along(pair, rb_turned_plane(plane, aside, 1), up, scratch);
        turn[1] = by_normal[1] / v.normal[1];
        turn[0] = (by_normal[0] - v.normal[0] * turn[1]) / u.normal[0];
        if (!(v.normal[1] < 0) || u.normal[0] == 0) return false;
    } else {
        u = bend_along(pair, plane, across, scratch), v = bend_along(pair, plane, up, scratch);
        const double bends[3] = {u.normal[0], 0.5 * (u.normal[1] + v.normal[0]), v.normal[1]};
        if (!solve(bends, by_normal, turn)) return false;
    }
    out->t = v3_neg(v3_axpy(v3_scale(turn[0], u.wrench.t), turn[1], v.wrench.t));
    out->f = v3_neg(v3_axpy(v3_scale(turn[0], u.wrench.f), turn[1], v.wrench.f));
    return true;
}
