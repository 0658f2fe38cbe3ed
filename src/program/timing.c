// SPDX-License-Identifier: MIT
#include "program/timing.h"

#include <math.h>

#include "program/program_instance.h"

static bool follows_the_clock(const RbSortedDae *d, const RbExpr *e, RbArena scratch) {
    RbIndices vars = rb_expr_vars(d->exprs, e, &scratch);
    for (int i = 0; i < vars.count; i++) {
        RbDaeKind kind = d->vars.data[vars.data[i]].kind;
        if (kind != RB_DAE_PARAMETER && kind != RB_DAE_DISCRETE) return false;
    }
    return true;
}

int *rb_clock_relations(const RbSortedDae *d, RbArena *arena, RbArena scratch, int *count) {
    int *found = rb_new_array(arena, int, d->relations.count + 1);
    *count = 0;
    for (int i = 0; i < d->relations.count; i++) {
        const RbRelation *r = &d->relations.data[i];
        if (follows_the_clock(d, r->left, scratch) && follows_the_clock(d, r->right, scratch))
            found[(*count)++] = i;
    }
    return found;
}

static double difference(RbProgramInstance *in, const RbRelation *r, double time) {
    in->frame.t = time;
    return rb_interpret_number(in, r->left) - rb_interpret_number(in, r->right);
}

static bool holds(RbProgramInstance *in, const RbRelation *r, double time) {
    in->frame.t = time;
    double left = rb_interpret_number(in, r->left), right = rb_interpret_number(in, r->right);
    switch (r->op) {
        case RB_OP_LT: return left < right;
        case RB_OP_LE: return left <= right;
        case RB_OP_GT: return left > right;
        default: return left >= right;
    }
}

// With z affine in time the crossing is known. Three points decide whether it is; should a function
// that is not affine agree with a straight line in them, then there is an event too many, and the
// indicator still finds the right one.
static double switching_time(RbProgramInstance *in, const RbRelation *r, double now) {
    const double h =
        0.618034 * fmax(1, fabs(now)); // no multiple of a period that anyone would choose
    double z0 = difference(in, r, now), z1 = difference(in, r, now + h),
           z2 = difference(in, r, now + 2 * h);
    double scale = fabs(z0) + fabs(z1) + fabs(z2);
    if (!(fabs(z2 - 2 * z1 + z0) <= 1e-12 * scale) || z1 == z0) return INFINITY;
    double t = now - z0 * h / (z1 - z0);
    if (!(t > now) || !isfinite(t)) return INFINITY;
    bool before = holds(in, r, now);
    // The first number at which the relation has changed: time >= 0.3 does at 0.3, not a rounding later.
    enum { ROUNDINGS = 8 };
    for (int k = 0; k < ROUNDINGS && holds(in, r, t) == before; k++) t = nextafter(t, INFINITY);
    for (int k = 0; k < ROUNDINGS; k++) {
        double earlier = nextafter(t, now);
        if (!(earlier > now) || holds(in, r, earlier) == before) break;
        t = earlier;
    }
    return t;
}

double rb_next_clock_event(RbProgramInstance *in) {
    const RbProgram *p = in->program;
    double now = in->frame.t, next = INFINITY;
    for (int i = 0; i < p->clock_relation_count; i++) {
        next = fmin(next, switching_time(in, &p->dae->relations.data[p->clock_relations[i]], now));
    }
    in->frame.t = now;
    return next;
}
