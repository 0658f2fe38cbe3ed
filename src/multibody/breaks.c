// SPDX-License-Identifier: MIT
#include "multibody/breaks.h"

#include <math.h>

double rb_breaks_inside(double t, double since, double until) {
    double first = isfinite(since) ? since + rb_time_rounding(since) : since;
    double last = isfinite(until) ? until - rb_time_rounding(until) : until;
    return fmax(first, fmin(t, last));
}

// Two breaks that differ by rounding are one.
static double after(double t) {
    return t + 4 * rb_time_rounding(t);
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

static void load_at(void *user, double t, double *values) {
    const RbWorldForce *e = user;
    if (e->force) v3_store(values, e->force(t, e->user));
    if (e->torque) v3_store(values + RB_JUMP_GROUP, e->torque(t, e->user));
}

void rb_breaks_open(RbBreaks *b, const RbScene *s, double start, double stop, RbArena *arena) {
    *b = (RbBreaks){.scene = s,
                    .searches = rb_new_array(arena, RbJumpSearch, s->world_forces.count)};
    for (int i = 0; i < s->world_forces.count; i++) {
        RbWorldForce *e = &s->world_forces.data[i].element;
        if (e->law) continue; // depends on the motion as well
        RbJumpSearch *search = &b->searches[b->search_count++];
        *search = (RbJumpSearch){load_at, e, RB_JUMP_VALUES, start, stop, {0}};
        rb_jumps_open(search);
    }
}

double rb_breaks_next(const RbBreaks *b, double t) {
    double next = next_declared(b->scene, t);
    for (int i = 0; i < b->search_count; i++)
        next = fmin(next, rb_jumps_next(&b->searches[i], t, next));
    return next;
}
