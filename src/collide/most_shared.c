// SPDX-License-Identifier: MIT
#include "collide/most_shared.h"

#include <math.h>

#include "collide/patch_normal.h"
#include "collide/patch_shared.h"

static double length_of(const double x[2]) {
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

// ---- looks

// The cube root of what is shared along a way, and its derivatives as A is moved on.
typedef struct Look {
    RbContactPlane plane; // n: along the way
    double root;          // [m]
    Vec3 slope;
    Mat3 bend;
    Wrench wrench; // d log S as B moves
    bool blurred;  // it bends so sharply that rounding of the way decides about its slope
} Look;

// False: nothing is shared.
static bool look_for_volume(const RbPatchPair *pair, RbContactPlane plane, Look *out) {
    RbShared s = rb_shared_volume(pair, plane);
    double mean[6];
    if (!(s.volume > 0)) return false;
    for (int j = 0; j < 6; j++) mean[j] = 0.5 * (s.by_a[j] + s.by_b[j]) / s.volume;
    out->root = cbrt(s.volume);
    out->wrench = rb_patch_wrench(plane, mean);
    Vec3 g = v3_neg(out->wrench.f); // d log S
    double k = out->root / 3;
    out->slope = v3_scale(k, g);
    out->bend = m3_add(m3_scale(k / s.volume, s.bend), m3_scale(-2 * k / 3, m3_outer(g, g)));
    return true;
}

// Of W the fourth root, which is concave nearly. Slopes and bends by a turn of n are known; the one outwards takes its part of the bends around the sphere.
static bool look_for_square(const RbPatchPair *pair, RbContactPlane plane, Look *out) {
    RbPatchLook l;
    double mean[6], r = pair->radius;
    rb_patch_look(pair, plane, &l);
    const RbPatchAim *m = &l.aim;
    if (!isfinite(m->value)) return false;
    for (int j = 0; j < 6; j++) mean[j] = 0.5 * (m->by_a[j] + m->by_b[j]);
    double root = exp(m->value / 4), k = root / 4,
           outwards = k * 2 * l.moments.volume / l.moments.square;
    out->root = root, out->wrench = rb_patch_wrench(plane, mean);
    out->slope = v3_axpy(v3_axpy(v3_scale(outwards, plane.n), k / r * m->slope[0], plane.u),
                         k / r * m->slope[1], plane.v);
    double uu = k * (m->bend[0] + m->slope[0] * m->slope[0] / 4) + r * outwards;
    double uv = k * (m->bend[1] + m->slope[0] * m->slope[1] / 4);
    double vv = k * (m->bend[2] + m->slope[1] * m->slope[1] / 4) + r * outwards;
    Vec3 u = v3_axpy(v3_scale(uu, plane.u), uv, plane.v),
         v = v3_axpy(v3_scale(uv, plane.u), vv, plane.v);
    out->bend = m3_scale(1 / (r * r), m3_add(m3_outer(plane.u, u), m3_outer(plane.v, v)));
    return true;
}

static bool look_along(const RbPatchPair *pair, bool square, RbContactPlane plane, Look *out) {
    out->plane = plane, out->blurred = false;
    return square ? look_for_square(pair, plane, out) : look_for_volume(pair, plane, out);
}

// ---- what the looks say about the ways next to the best one

// Concave functions bend down; what rounding makes of that is taken off.
static void bend_down(double bend[3]) {
    double half = 0.5 * (bend[0] - bend[2]);
    double largest = 0.5 * (bend[0] + bend[2]) + sqrt(half * half + bend[1] * bend[1]);
    if (largest > 0) bend[0] -= largest, bend[2] -= largest;
}

// A plane that touches the root is an upper bound. Over turns x of the best way, n + x_0 u + x_1 v, as a part beyond the best root.
typedef struct Cut {
    double beyond, slope[3]; // along the best way, by moves along u, v and n
    double around;           // how it falls around the sphere
    double bend[3];          // how the root bends besides, where it was looked at
    double doubt;            // of beyond, which it contains
    bool blurred;
} Cut;

// noise: of the best root, as a part of it. A look that saw less knows less, and what it knows of the slope counts by the way to the best one. near: [rad] the closer ones of two that
// rounding does not tell apart shall count.
static Cut cut_of(const Look *l, const Look *best, double length, double noise, double near) {
    const RbContactPlane *p = &best->plane;
    Vec3 u = m3_mul_vec(l->bend, p->u), v = m3_mul_vec(l->bend, p->v);
    double k = length / best->root, kk = k * length, ahead = v3_dot(l->slope, p->n);
    Vec3 back = v3_sub(p->n, l->plane.n);
    double more = k * v3_dot(l->slope, back), far = v3_norm(back) / near;
    double beyond = (l->root - best->root) / best->root + more;
    double doubt = noise * (best->root / l->root * fabs(more) + log2(1 + far));
    Cut c = {.beyond = fmax(0, beyond) + doubt,
             .doubt = doubt,
             .blurred = l->blurred || beyond < -doubt - 100 * noise - 1e-8, // it cannot be
             .slope = {k * v3_dot(l->slope, p->u), k * v3_dot(l->slope, p->v), k * ahead},
             .around = k * fmax(ahead, 0.5 * v3_norm(l->slope)),
             .bend = {kk * v3_dot(p->u, u), 0.5 * kk * (v3_dot(p->u, v) + v3_dot(p->v, u)),
                      kk * v3_dot(p->v, v)}};
    bend_down(c.bend);
    // to the best way it may bend less, as the plane shows that touches it
    double x = v3_dot(l->plane.n, p->u), y = v3_dot(l->plane.n, p->v);
    double falls = -(c.bend[0] * x * x + 2 * c.bend[1] * x * y + c.bend[2] * y * y);
    double most = 8 * (c.beyond + noise);
    for (int j = 0; j < 3 && falls > most; j++) c.bend[j] *= most / falls;
    return c;
}

// ---- where the lowest cut is largest

enum { LOOKS = 8, FLANKS = 3 };

// Up to three cuts meet there, which count so that together they have no slope.
typedef struct Aim {
    double x[2]; // turn of the best way
    double rise; // beyond the best root, as a part of it
    int count, who[FLANKS];
    double part[FLANKS];
} Aim;

// A cut as it is near some turn, beside of how all of them bend.
typedef struct Line {
    double value, slope[2]; // along the best way
} Line;

typedef struct Bundle {
    int count;
    Cut cut[LOOKS];
    Line line[LOOKS];
    double noise;   // of roots, as parts of them
    double more;    // bend that is added, so that steps are short
    double soft[3]; // inverse of how all of them bend: a step by a slope
} Bundle;

static Line line_of(const Cut *c, double around, const double x[2]) {
    const double *g = c->slope;
    double xx = x[0] * x[0] + x[1] * x[1], w = sqrt(1 + xx), gx = g[0] * x[0] + g[1] * x[1];
    double value = c->beyond + (gx - g[2] * xx / (1 + w)) / w, turn = (g[2] + gx) / (w * w);
    const double slope[2] = {(g[0] - turn * x[0]) / w, (g[1] - turn * x[1]) / w};
    return (Line){value - slope[0] * x[0] - slope[1] * x[1] - 0.5 * around * xx,
                  {slope[0] + around * x[0], slope[1] + around * x[1]}};
}

// About an aim. All bend as those that meet there do on average.
static void draw_lines(Bundle *b, const Aim *a) {
    double bend[3] = {0, 0, 0}, around = b->more;
    for (int i = 0; i < a->count; i++) {
        const Cut *c = &b->cut[a->who[i]];
        around += a->part[i] * c->around;
        for (int j = 0; j < 3; j++) bend[j] += a->part[i] * c->bend[j];
    }
    bend[0] -= around, bend[2] -= around;
    around -= b->more;
    double det = bend[0] * bend[2] - bend[1] * bend[1];
    b->soft[0] = -bend[2] / det, b->soft[1] = bend[1] / det, b->soft[2] = -bend[0] / det;
    for (int i = 0; i < b->count; i++) b->line[i] = line_of(&b->cut[i], around, a->x);
}

static void step_by(const Bundle *b, const double slope[2], double out[2]) {
    out[0] = b->soft[0] * slope[0] + b->soft[1] * slope[1];
    out[1] = b->soft[1] * slope[0] + b->soft[2] * slope[1];
}

static double product(const Bundle *b, const double s[2], const double t[2]) {
    double x[2];
    step_by(b, t, x);
    return s[0] * x[0] + s[1] * x[1];
}

// How much the cuts of an aim count is where the largest value of their mean is least. False: one of them does not.
static bool weigh(const Bundle *b, Aim *a) {
    const Line *last = &b->line[a->who[a->count - 1]];
    double d[2][2], fall[2], m[3] = {1, 0, 1}, rest = 1;
    for (int i = 0; i + 1 < a->count; i++) {
        const Line *c = &b->line[a->who[i]];
        for (int j = 0; j < 2; j++) d[i][j] = c->slope[j] - last->slope[j];
        fall[i] = last->value - c->value - product(b, d[i], last->slope);
        m[2 * i] = product(b, d[i], d[i]);
    }
    if (a->count == 2) a->part[0] = fall[0] / m[0];
    if (a->count == 3) {
        m[1] = product(b, d[0], d[1]);
        double det = m[0] * m[2] - m[1] * m[1];
        if (!(det > 1e-12 * m[0] * m[2])) return false;
        a->part[0] = (m[2] * fall[0] - m[1] * fall[1]) / det;
        a->part[1] = (m[0] * fall[1] - m[1] * fall[0]) / det;
    }
    for (int i = 0; i + 1 < a->count; i++) {
        if (!(a->part[i] > 0)) return false;
        rest -= a->part[i];
    }
    a->part[a->count - 1] = rest;
    return rest > 0;
}

// As one of the sets of cuts that may meet; the one whose mean is lowest is meant.
static void consider(const Bundle *b, Aim a, Aim *lowest) {
    double slope[2] = {0, 0}, value = 0;
    for (int i = 0; i < a.count; i++)
        if (b->cut[a.who[i]].blurred) return;
    if (!weigh(b, &a)) return;
    for (int i = 0; i < a.count; i++) {
        const Line *c = &b->line[a.who[i]];
        value += a.part[i] * c->value;
        for (int j = 0; j < 2; j++) slope[j] += a.part[i] * c->slope[j];
    }
    step_by(b, slope, a.x);
    a.rise = value + 0.5 * (slope[0] * a.x[0] + slope[1] * a.x[1]);
    if (a.rise < lowest->rise) *lowest = a;
}

static double height_at(const Bundle *b, int cut, const double x[2]) {
    const Line *c = &b->line[cut];
    return c->value + c->slope[0] * x[0] + c->slope[1] * x[1];
}

// The cut that is lowest where those of an aim meet; -1: they are.
static int cut_off_by(const Bundle *b, const Aim *a, double noise) {
    double lowest = height_at(b, a->who[0], a->x) - noise;
    int out = -1;
    for (int i = 0; i < b->count; i++) {
        double height = height_at(b, i, a->x);
        if (!b->cut[i].blurred && height < lowest) lowest = height, out = i;
    }
    return out;
}

// Of at most four cuts.
static Aim lowest_among(const Bundle *b, const int *who, int count) {
    Aim lowest = {.rise = INFINITY};
    for (int i = 0; i < count; i++) {
        consider(b, (Aim){.count = 1, .who = {who[i]}}, &lowest);
        for (int j = 0; j < i; j++) {
            consider(b, (Aim){.count = 2, .who = {who[i], who[j]}}, &lowest);
            for (int k = 0; k < j; k++)
                consider(b, (Aim){.count = 3, .who = {who[i], who[j], who[k]}}, &lowest);
        }
    }
    return lowest;
}

// Cuts that are lower come in, and those that do not meet there go, which lowers it each time.
static Aim lowest_of(const Bundle *b, const Aim *start) {
    enum { ROUNDS = 20 };
    Aim a = lowest_among(b, start->who, start->count); // since lines were drawn anew
    for (int round = 0; round < ROUNDS; round++) {
        int lower = cut_off_by(b, &a, 1e-3 * b->noise), who[FLANKS + 1];
        if (lower < 0) break;
        for (int i = 0; i < a.count; i++) who[i] = a.who[i];
        who[a.count] = lower;
        Aim next = lowest_among(b, who, a.count + 1);
        if (!(next.rise < a.rise)) break;
        a = next;
    }
    return a;
}

// Newton's method for the lowest cut.
static Aim newton(Bundle *b, int best) {
    enum { ROUNDS = 6 };
    const double near = 1e-3; // of the step
    Aim a = {.count = 1, .who = {best}, .part = {1}}, alone = {.rise = INFINITY};
    draw_lines(b, &a);
    consider(b, a, &alone);
    a = alone;
    draw_lines(b, &a);
    if (cut_off_by(b, &a, b->noise) < 0) return a;
    for (int round = 0; round < ROUNDS; round++) {
        const double before[2] = {a.x[0], a.x[1]};
        a = lowest_of(b, &a);
        const double change[2] = {a.x[0] - before[0], a.x[1] - before[1]};
        if (length_of(change) < near * length_of(a.x)) break;
        draw_lines(b, &a);
    }
    return a;
}

// The lowest cut, exactly.
static double lowest_at(const Bundle *b, const double x[2]) {
    double out = INFINITY;
    for (int i = 0; i < b->count; i++) {
        Line l = line_of(&b->cut[i], 0, x);
        if (!b->cut[i].blurred) out = fmin(out, l.value + l.slope[0] * x[0] + l.slope[1] * x[1]);
    }
    return out;
}

// No further than longest, and not where the lowest cut is lower than the best look: then rounds of Newton's method still disagree.
static Aim aim_of(Bundle *b, int best, double longest) {
    enum { TRIES = 20 };
    Aim a = newton(b, best);
    for (int i = 0; i < TRIES; i++) {
        if (length_of(a.x) <= longest && a.rise > -b->noise &&
            (a.count == 1 || lowest_at(b, a.x) > 0.1 * a.rise - b->noise))
            break;
        double k = fmax(2, fmin(100, length_of(a.x) / longest));
        b->more = k * (b->more + b->cut[best].around);
        a = newton(b, best);
    }
    return a;
}

// ---- the search

static const double FINE = 1e-9;    // of the force
static const double CLEAR = 1e-7;   // of the force, where rounding leaves no more
static const double BLURRED = 1e-5; // of the force: slopes that rounding changes by more are none
static const double LONGEST = 0.5;  // [rad] step
static const double FINAL = 1e-5;   // of the lever: steps of the end

typedef struct Search {
    RbPatchPair pair; // whose radius is the length of the way
    int power;        // 3: V, 4: W
    double lever;     // of slopes, as errors of the force
    double rounding;  // [rad] of ways
    Look look[LOOKS];
    int count, best;
    double longest; // [rad] step
    double error;   // of the force: the least one so far
} Search;

// Of the best root, as a part of it.
static double noise_of(const Search *s) {
    return s->rounding * fmax(1 / s->lever, s->pair.radius / s->look[s->best].root);
}

// Slopes do not change over so little.
static double near_of(const Search *s) {
    return fmax(10 * FINE * s->lever, 4 * s->rounding);
}

static Bundle bundle_of(const Search *s) {
    Bundle b = {.count = s->count, .noise = noise_of(s)};
    for (int i = 0; i < s->count; i++)
        b.cut[i] = cut_of(&s->look[i], &s->look[s->best], s->pair.radius, b.noise, near_of(s));
    return b;
}

// The best of those that are not blurred.
static int best_clear(const Search *s, Bundle *b) {
    int best = -1;
    for (int i = 0; i < s->count; i++)
        if (!b->cut[i].blurred && (best < 0 || s->look[i].root > s->look[best].root)) best = i;
    if (best < 0) b->cut[s->best].blurred = false;
    return best < 0 || !b->cut[s->best].blurred ? s->best : best;
}

static bool is_used(const Aim *a, int look) {
    for (int i = 0; i < a->count; i++)
        if (a->who[i] == look) return true;
    return false;
}

// For the next look: of those that do not count the one whose cut is highest.
static int room_for(Search *s, const Bundle *b, const Aim *a) {
    int out = s->best;
    double highest = -INFINITY;
    if (s->count < LOOKS) return s->count++;
    for (int i = 0; i < s->count; i++) {
        const Line *c = &b->line[i];
        double value = c->value + c->slope[0] * a->x[0] + c->slope[1] * a->x[1];
        if (i == s->best || is_used(a, i) || value < highest) continue;
        out = i, highest = value;
    }
    return out;
}

static double error_of(const Search *s, const Look *l) {
    if (l->blurred) return INFINITY;
    const double slope[2] = {v3_dot(l->slope, l->plane.u), v3_dot(l->slope, l->plane.v)};
    return s->lever * s->power * s->pair.radius * length_of(slope) / l->root;
}

// From a turn of the best way to a look, as such.
static void way_to(const Search *s, const double from[2], int look, double out[2]) {
    const RbContactPlane *p = &s->look[s->best].plane;
    Vec3 n = s->look[look].plane.n;
    double lean = v3_dot(n, p->n);
    out[0] = v3_dot(n, p->u) / lean - from[0], out[1] = v3_dot(n, p->v) / lean - from[1];
}

// Of the slopes with a turn, as a part of the force.
static double change_of(const Search *s, const Cut *c) {
    double size = fmin(s->pair.core[0]->size, s->pair.core[1]->size);
    return s->power * s->lever * (fabs(c->bend[0]) + fabs(c->bend[2])) + s->pair.radius / size;
}

// What is not known of the slopes where flanks meet, since looks at them are elsewhere, as a part of the force, and whose fault most of that is.
static double doubt_of(const Search *s, const Bundle *b, const Aim *a, int *whose) {
    double out = 0, most = -1, way[2];
    for (int i = 0; i < a->count; i++) {
        way_to(s, a->x, a->who[i], way);
        double doubt = a->part[i] * length_of(way) * change_of(s, &b->cut[a->who[i]]);
        out += doubt;
        if (doubt > most) most = doubt, *whose = a->who[i];
    }
    return out;
}

static bool is_looked_at(const Search *s, const double turn[2], double near) {
    double way[2];
    for (int i = 0; i < s->count; i++) {
        way_to(s, turn, i, way);
        if (length_of(way) < near) return true;
    }
    return false;
}

// Where to look next, as a turn of the best way, and which look that is to replace; -1: none. False: nowhere.
static bool next_turn(const Search *s, const Bundle *b, const Aim *a, double out[2], int *instead) {
    double near = near_of(s), step = length_of(a->x), way[2];
    int other = s->best;
    for (int i = 0; i < a->count; i++)
        near = fmin(near, 10 * FINE / change_of(s, &b->cut[a->who[i]]));
    near = fmax(near, 4 * s->rounding);
    out[0] = a->x[0], out[1] = a->x[1], *instead = -1;
    if (!isfinite(step)) return false;
    if (a->count == 1) return step > s->rounding;
    bool known = is_looked_at(s, out, 0.25 * near), enough = doubt_of(s, b, a, &other) <= 10 * FINE;
    if (!known && !(enough && a->rise < b->noise)) return true;
    if (enough) return false;
    // a flank is still to come as near
    way_to(s, a->x, other, way);
    double far = length_of(way);
    double to = fmax(0.5 * near, fmin(0.25 * far, far * far / s->lever)) / far;
    out[0] += to * way[0], out[1] += to * way[1], *instead = other;
    return to < 1;
}

// Values tell looks apart as far as rounding allows, then slopes do.
static bool is_better(const Search *s, const Look *l) {
    const double rounding = 1e-9; // much more than it is
    const Look *best = &s->look[s->best];
    if (l->root > best->root) return true;
    return l->root > (1 - rounding) * best->root && error_of(s, l) < 0.5 * error_of(s, best);
}

// False: nothing is shared. As long as steps are large no look is too blurred.
static bool look(const Search *s, RbContactPlane plane, double step, Look *out) {
    if (!look_along(&s->pair, s->power == 4, plane, out)) return false;
    double r = s->pair.radius, noise = s->rounding * fmax(1 / s->lever, r / out->root);
    double change = s->power * s->lever * r * r * fabs(m3_trace(out->bend)) / out->root;
    out->blurred = step < FINAL * s->lever && change * s->rounding > fmax(BLURRED, 100 * noise);
    return true;
}

// Is it on the flank of that look, rather than on that of the best one?
static bool is_like(const Search *s, const Look *l, int other) {
    if (other == s->best || l->blurred) return false;
    return v3_distance(l->slope, s->look[other].slope) <
           v3_distance(l->slope, s->look[s->best].slope);
}

// Takes the place of one that does not count. False: it is no better than what rounding makes of the best one. aimed: at where flanks meet, which their slopes know better
// than values do.
static bool take(Search *s, const Look *next, double step, bool aimed, int at) {
    double least = (1 + noise_of(s)) * s->look[s->best].root;
    bool better = is_better(s, next);
    if (aimed && next->root > (1 - 4 * noise_of(s)) * s->look[s->best].root) better = true;
    s->look[at] = *next;
    if (!better) return false;
    s->best = at, s->longest = fmax(s->longest, fmin(LONGEST, 4 * step));
    double error = error_of(s, next), before = s->error;
    s->error = fmin(error, before);
    return next->root > least || error < 0.5 * before;
}

// As far as the ball reaches whose sphere the ways lie on.
static Vec3 in_ball(Vec3 from, Vec3 step, double radius) {
    double a = v3_norm2(step), b = v3_dot(step, from), c = v3_norm2(from) - radius * radius;
    double root = sqrt(fmax(0, b * b - a * c)), most = b > 0 ? -c / (b + root) : (root - b) / a;
    return v3_axpy(from, fmax(0, fmin(1, most)), step);
}

static bool falls_outwards(const Search *s) {
    const Look *best = &s->look[s->best];
    return v3_dot(best->slope, best->plane.n) < 0;
}

// Where the root falls outwards there is a shorter way that shares more: from there up, inside of the ball, until a way out of it does again.
// (The sphere alone may have another top there.) False: there is none, the middles are nearer than the length.
static bool climb(Search *s) {
    enum { LOOKS_INSIDE = 30 };
    RbPatchPair pair = s->pair;
    Look at = s->look[s->best], next;
    double length = pair.radius, k = 1;
    Vec3 way = v3_scale(length, at.plane.n);
    for (int i = 0; i < LOOKS_INSIDE; i++) {
        double soft = v3_norm(at.slope) / length;
        if (k < 1e-6 || !(soft * length * length > 1e-9 * at.root)) return false;
        Mat3 bend = m3_sub(at.bend, m3_diagonal(v3(soft, soft, soft)));
        Vec3 step = v3_scale(-k, m3_mul_vec(m3_inverse(bend), at.slope));
        Vec3 to = in_ball(way, step, length), u = v3_perpendicular(v3_unit(to));
        RbContactPlane plane = {at.plane.origin, u, v3_cross(v3_unit(to), u), v3_unit(to)};
        pair.radius = v3_norm(to);
        if (!look_along(&pair, false, plane, &next) || !(next.root > at.root)) {
            k *= 0.25;
            continue;
        }
        at = next, way = to, k = fmin(1, 4 * k);
        if (pair.radius < (1 - 1e-12) * length) continue;
        s->count = 1, s->best = 0, s->look[0] = at, s->longest = LONGEST;
        return true;
    }
    return false;
}

static Aim without_doubt(const Bundle *b, Aim a) {
    for (int i = 0; i < a.count; i++) a.rise -= a.part[i] * b->cut[a.who[i]].doubt;
    return a;
}

// At the end: where flanks meet, or the best look alone if more is known about that.
static Aim best_of(const Search *s) {
    const Aim alone = {.count = 1, .who = {s->best}, .part = {1}};
    double error = error_of(s, &s->look[s->best]);
    int any;
    if (error < FINE) return alone;
    Bundle b = bundle_of(s);
    Aim a = aim_of(&b, best_clear(s, &b), LONGEST);
    bool is_ridge = a.count > 1 && b.more == 0 && fabs(a.rise) < CLEAR + 100 * b.noise &&
                    doubt_of(s, &b, &a, &any) < error;
    return is_ridge ? without_doubt(&b, a) : alone;
}

// Returns where the flanks meet, or the best look alone.
static Aim search(Search *s) {
    enum { MOST = 100, IDLE = 4 };
    int idle = 0;
    for (int i = 0; i < MOST && idle < 3 * IDLE; i++) {
        double turn[2];
        int other, any;
        Look next;
        if (error_of(s, &s->look[s->best]) < FINE) break;
        Bundle b = bundle_of(s);
        Aim a = aim_of(&b, best_clear(s, &b), s->longest);
        if (a.count == 0) break; // not a number
        bool more = next_turn(s, &b, &a, turn, &other);
        double doubt = doubt_of(s, &b, &a, &any);
        more = more && !(idle >= IDLE && fabs(a.rise) < b.noise && doubt < CLEAR);
        if (!more && b.more > 0) { // it is a step that was too short
            s->longest = fmin(LONGEST, 1e3 * s->longest), idle++;
            continue;
        }
        if (!more) return without_doubt(&b, a);
        RbContactPlane plane = rb_turned_plane(s->look[s->best].plane, turn, 1);
        bool known = is_looked_at(s, turn, s->rounding);
        if (known || !look(s, plane, length_of(turn), &next)) {
            s->longest = 0.25 * length_of(turn), idle += known;
            continue;
        }
        int at = other >= 0 && is_like(s, &next, other) ? other : room_for(s, &b, &a);
        bool aimed = a.count > 1 && other < 0;
        idle = take(s, &next, length_of(turn), aimed, at) ? 0 : idle + 1;
    }
    return best_of(s);
}

// Beside of where it would be blurred.
static bool first_look(Search *s, RbContactPlane plane) {
    const double aside[2] = {0.8, 0.6};
    if (!look(s, plane, 0, s->look)) return false;
    for (double k = 100; s->look->blurred && k < 1e6; k *= 10) {
        Look other;
        if (!look(s, rb_turned_plane(plane, aside, k * near_of(s)), 0, &other)) break;
        s->look[0] = other;
    }
    s->look->blurred = false;
    return true;
}

static RbMost most_of(const RbPatchPair *pair, int power, Vec3 origin, Vec3 way) {
    enum { CLIMBS = 3 };
    Vec3 n = v3_unit(way), u = v3_perpendicular(n);
    RbMost out = {.way = way, .value = -INFINITY};
    double length = v3_norm(way), beyond = length - (pair->radius + pair->gap->distance);
    Search s = {.pair = *pair, .power = power, .count = 1, .longest = LONGEST, .error = INFINITY};
    s.rounding = 4e-16 * fmax(pair->core[0]->size, pair->core[1]->size) / length;
    s.lever = fmax(s.rounding, fmin(1, beyond / length));
    s.pair.radius = length;
    if (!first_look(&s, (RbContactPlane){origin, u, v3_cross(n, u), n})) return out;
    Aim a = search(&s);
    for (int i = 0; i < CLIMBS && power == 3 && falls_outwards(&s) && climb(&s); i++)
        a = search(&s);
    const Look *best = &s.look[s.best];
    if (a.count > 1)
        n = rb_turned_plane(best->plane, a.x, 1).n;
    else
        n = best->plane.n, a.rise = 0, a.who[0] = s.best;
    out.way = v3_scale(length, n), out.value = power * log(best->root * (1 + a.rise));
    for (int i = 0; i < a.count; i++) {
        const Wrench *w = &s.look[a.who[i]].wrench;
        out.slope.t = v3_axpy(out.slope.t, a.part[i], w->t);
        out.slope.f = v3_axpy(out.slope.f, a.part[i], w->f);
    }
    out.rate = -v3_dot(out.slope.f, n);
    return out;
}

bool rb_shared_root(const RbPatchPair *pair, Vec3 origin, Vec3 way, RbSharedRoot *out) {
    Vec3 n = v3_unit(way), u = v3_perpendicular(n);
    RbPatchPair moved = *pair;
    Look l;
    moved.radius = v3_norm(way);
    if (!look_for_volume(&moved, (RbContactPlane){origin, u, v3_cross(n, u), n}, &l)) return false;
    *out = (RbSharedRoot){l.root, l.slope, l.bend, l.wrench};
    return true;
}

RbMost rb_most_shared(const RbPatchPair *pair, Vec3 origin, Vec3 way) {
    return most_of(pair, 3, origin, way);
}

RbMost rb_most_square(const RbPatchPair *pair, Vec3 origin, Vec3 n) {
    return most_of(pair, 4, origin, v3_scale(pair->radius, n));
}
