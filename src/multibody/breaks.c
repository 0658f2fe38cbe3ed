// SPDX-License-Identifier: MIT
#include "multibody/breaks.h"

#include <float.h>
#include <math.h>

enum { LOOKS_AHEAD = 1000 };
static const double JUMP_MIN = 1e-3; // of the value before or after

// Computed in different ways, times differ by some roundings.
static double rounding(double t) {
    return 16 * DBL_EPSILON * fabs(t);
}

double rb_breaks_inside(double t, double since, double until) {
    double first = isfinite(since) ? since + rounding(since) : since;
    double last = isfinite(until) ? until - rounding(until) : until;
    return fmax(first, fmin(t, last));
}

// Two breaks that differ by rounding are one.
static double after(double t) {
    return t + 4 * rounding(t);
}

// ---------------------------------------------------------------------------------------------------
// declared

static double next_of(double time, double period, double t) {
    if (time > after(t)) return time;
    if (period <= 0) return INFINITY;
    double k = fmax(0, floor((t - time) / period)), next = time + k * period;
    while (next <= after(t)) next = time + ++k * period;
    return next;
}

static double next_declared(const RbScene *s, double t) {
    double next = INFINITY;
    for (int i = 0; i < s->breaks.count; i++) {
        const RbSceneBreaks *b = &s->breaks.data[i];
        for (int k = 0; k < b->count; k++) next = fmin(next, next_of(b->times[k], b->period, t));
    }
    return next;
}

// -----------------------------------------------------------------------------------------------------
// found

typedef struct Load {
    Vec3 force, torque; // [N], [N m]
} Load;

static Load load_at(const RbWorldForce *e, double t) {
    return (Load){e->force ? e->force(t, e->user) : V3_ZERO,
                  e->torque ? e->torque(t, e->user) : V3_ZERO};
}

static double relative(Vec3 a, Vec3 b, double scale) {
    return scale > 0 ? v3_norm(v3_sub(a, b)) / scale : 0;
}

// First time in (a, b] at which the values are those after a jump; INFINITY: they change smoothly.
static double jump_between(const RbWorldForce *e, double a, Load at_a, double b, Load at_b) {
    double force = fmax(v3_norm(at_a.force), v3_norm(at_b.force));
    double torque = fmax(v3_norm(at_a.torque), v3_norm(at_b.torque));
    while (b - a > rounding(b)) {
        double middle = 0.5 * (a + b);
        Load at = load_at(e, middle);
        double left =
            fmax(relative(at_a.force, at.force, force), relative(at_a.torque, at.torque, torque));
        double right =
            fmax(relative(at.force, at_b.force, force), relative(at.torque, at_b.torque, torque));
        if (!(fmax(left, right) > JUMP_MIN)) return INFINITY;
        if (left >= right) {
            b = middle;
            at_b = at;
        } else {
            a = middle;
            at_a = at;
        }
    }
    return b;
}

// The times looked at are the same wherever the search begins.
static double next_found(const RbWorldForce *e, double t, double limit, RbRunSpan run) {
    double spacing = (run.stop - run.start) / LOOKS_AHEAD;
    double a = after(t);
    Load at_a = load_at(e, a);
    for (int k = (int)floor((t - run.start) / spacing) + 1; a < limit && k <= LOOKS_AHEAD; k++) {
        double b = fmin(run.start + k * spacing, limit - rounding(limit));
        if (!(b > a)) continue;
        Load at_b = load_at(e, b);
        double jump = jump_between(e, a, at_a, b, at_b);
        if (jump < limit) return jump;
        a = b;
        at_a = at_b;
    }
    return INFINITY;
}

double rb_breaks_next(const RbScene *s, double t, RbRunSpan run) {
    double next = next_declared(s, t);
    if (!(run.stop > t && t >= run.start)) return next;
    double limit = fmin(next, run.stop);
    for (int i = 0; i < s->world_forces.count; i++) {
        const RbWorldForce *e = &s->world_forces.data[i].element;
        if (e->law) continue; // depends on the motion as well
        double found = next_found(e, t, limit, run);
        if (found < limit) next = limit = found;
    }
    return next;
}
