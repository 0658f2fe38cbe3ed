// SPDX-License-Identifier: MIT
#include "program/timing.h"

#include <float.h>
#include <math.h>

#include "math/jumps.h"
#include "program/program_instance.h"

// Does e depend on nothing but time, parameters and (then *settled becomes false) discrete variables?
static bool follows_the_clock(const RbSortedDae *d, const RbExpr *e, RbArena scratch,
                              bool *settled) {
    RbIndices vars = rb_expr_vars(d->exprs, e, &scratch);
    for (int i = 0; i < vars.count; i++) {
        RbDaeKind kind = d->vars.data[vars.data[i]].kind;
        if (kind != RB_DAE_PARAMETER && kind != RB_DAE_DISCRETE) return false;
        if (kind == RB_DAE_DISCRETE) *settled = false;
    }
    return true;
}

// Degree in time of an expression of time, parameters and discrete variables: 0, 1, or 2 for all others.
static int degree(const RbSortedDae *d, const RbExpr *e, RbArena scratch) {
    RbExprOrder order = rb_expr_order(d->exprs, &e, 1, &scratch);
    unsigned char *of = rb_new_array(&scratch, unsigned char, d->exprs->count + 1);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        int most = 0, sum = 0;
        for (int k = 0; k < n->arg_count; k++) {
            int own = of[n->args[k]->id];
            most = own > most ? own : most;
            sum += own;
        }
        int result = most > 0 ? 2 : 0;
        if (n->op == RB_OP_TIME) result = 1;
        if (n->op == RB_OP_ADD || n->op == RB_OP_SUB || n->op == RB_OP_NEG) result = most;
        if (n->op == RB_OP_MUL) result = sum;
        if (n->op == RB_OP_DIV && of[n->args[1]->id] == 0) result = most;
        of[n->id] = (unsigned char)(result > 2 ? 2 : result);
    }
    return of[e->id];
}

RbClockRelation *rb_clock_relations(const RbSortedDae *d, RbArena *arena, RbArena scratch,
                                    int *count) {
    RbClockRelation *found = rb_new_array(arena, RbClockRelation, d->relations.count + 1);
    *count = 0;
    for (int i = 0; i < d->relations.count; i++) {
        const RbRelation *r = &d->relations.data[i];
        bool settled = true;
        if (follows_the_clock(d, r->left, scratch, &settled) &&
            follows_the_clock(d, r->right, scratch, &settled))
            found[(*count)++] = (RbClockRelation){
                i, degree(d, r->left, scratch) < 2 && degree(d, r->right, scratch) < 2, settled};
    }
    return found;
}

void rb_timing_open(RbProgramInstance *in, double start, double stop) {
    int count = in->program->clock_relation_count;
    in->run_start = start;
    in->run_stop = stop;
    if (!in->clock_next) in->clock_next = rb_new_array(in->arena, double, count + 1);
    for (int i = 0; i < count; i++) in->clock_next[i] = NAN;
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

// With z affine in time the crossing is known.
static double affine_switch(RbProgramInstance *in, const RbRelation *r, double now) {
    const double h = fmax(1, fabs(now));
    double z0 = difference(in, r, now), z1 = difference(in, r, now + h);
    if (!(z1 != z0)) return INFINITY;
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

// The first number at which it does not hold (or does) any more, given that it is so at b and not at a.
static double halve(RbProgramInstance *in, const RbRelation *r, double a, double b, bool before) {
    for (;;) {
        double middle = 0.5 * (a + b);
        if (!(middle > a && middle < b)) return b;
        if (holds(in, r, middle) == before)
            a = middle;
        else
            b = middle;
    }
}

// The times looked at are the same wherever the search begins.
static double searched_switch(RbProgramInstance *in, const RbRelation *r, double now,
                              double limit) {
    double length = in->run_stop - in->run_start;
    if (!(length > 0) || !isfinite(length)) return INFINITY;
    double last = now + 1e-9 * length; // what switches right now is left to the indicator
    bool before = holds(in, r, last);
    int k = (int)fmax(0, floor((now - in->run_start) / length * RB_LOOKS));
    for (; k <= RB_LOOKS && last < limit; k++) {
        double t = in->run_start + k * (length / RB_LOOKS);
        if (!(t > last)) continue;
        if (holds(in, r, t) != before) return halve(in, r, last, t, before);
        last = t;
    }
    return last < limit ? INFINITY : limit;
}

// A limit that was reached is no answer: then it is asked again.
static double switching_time(RbProgramInstance *in, int i, double now, double limit) {
    const RbClockRelation *c = &in->program->clock_relations[i];
    const RbRelation *r = &in->program->dae->relations.data[c->relation];
    if (c->affine) return affine_switch(in, r, now);
    double *known = in->clock_next ? &in->clock_next[i] : NULL;
    if (known && c->settled && *known > now) return *known;
    double t = searched_switch(in, r, now, c->settled ? INFINITY : limit);
    if (known) *known = t;
    return t;
}

double rb_first_event(double a, double b) {
    bool same = fabs(a - b) <= 4 * DBL_EPSILON * fmin(fabs(a), fabs(b)); // one may be infinite
    return same ? fmax(a, b) : fmin(a, b);
}

double rb_next_clock_event(RbProgramInstance *in) {
    const RbProgram *p = in->program;
    double now = in->frame.t, next = INFINITY;
    int failed = in->frame.failed; // what cannot be evaluated ahead is no failure yet
    const char *failure = in->failure;
    for (int i = 0; i < p->clock_relation_count; i++)
        next = rb_first_event(next, switching_time(in, i, now, next));
    in->frame.t = now;
    in->frame.failed = failed;
    in->failure = failure;
    return next;
}
