// SPDX-License-Identifier: MIT
#include "program/timing.h"

#include <float.h>
#include <math.h>

#include "math/jumps.h"
#include "expr/simplify.h"
#include "program/program_instance.h"
#include "program/tape.h"

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

// Variables that are functions of time, by their assignments.
typedef struct Unfold {
    const RbSortedDae *dae;
    const RbExpr **clock; // by variable, or NULL
} Unfold;

static const RbExpr *unfold_node(void *user, const RbExpr *e) {
    const Unfold *u = user;
    return e->op == RB_OP_VAR ? u->clock[e->index] : NULL;
}

static const RbExpr *unfold(Unfold *u, const RbExpr *e, RbArena scratch) {
    return rb_substitute_leaves(u->dae->exprs, e, unfold_node, u, scratch);
}

// What is long would make the look ahead dearer than the run; what calls a function is left to ahead.h.
static bool is_short(const RbSortedDae *d, const RbExpr *e, RbArena scratch) {
    enum { LONG = 200 };
    RbExprOrder order = rb_expr_order(d->exprs, &e, 1, &scratch);
    for (int i = 0; i < order.count; i++) {
        RbOp op = (RbOp)order.nodes[i]->op;
        if (op == RB_OP_CALL || op == RB_OP_PRE || op == RB_OP_DER || order.nodes[i]->rank > 0)
            return false;
    }
    return order.count < LONG;
}

static Unfold functions_of_time(const RbSortedDae *d, RbArena *arena, RbArena scratch) {
    Unfold u = {d, rb_new_array(arena, const RbExpr *, d->vars.count + 1)};
    for (int i = 0; i < d->blocks.count; i++) {
        const RbBlock *b = &d->blocks.data[i];
        if (b->kind != RB_BLOCK_ASSIGN || b->discrete || b->assign_count != 1) continue;
        const RbAssignment *a = &b->assigns[0];
        if (d->vars.data[a->var].kind != RB_DAE_ALGEBRAIC || !a->value || a->value->rank > 0)
            continue;
        const RbExpr *e = unfold(&u, a->value, scratch);
        bool settled;
        if (is_short(d, e, scratch) && follows_the_clock(d, e, scratch, &settled))
            u.clock[a->var] = e;
    }
    return u;
}

RbClockRelation *rb_clock_relations(const RbSortedDae *d, RbArena *arena, RbArena scratch,
                                    int *count) {
    RbClockRelation *found = rb_new_array(arena, RbClockRelation, d->relations.count + 1);
    *count = 0;
    if (d->relations.count == 0) return found;
    Unfold u = functions_of_time(d, arena, scratch);
    for (int i = 0; i < d->relations.count; i++) {
        const RbRelation *r = &d->relations.data[i];
        const RbExpr *left = unfold(&u, r->left, scratch), *right = unfold(&u, r->right, scratch);
        bool settled = true;
        if (follows_the_clock(d, left, scratch, &settled) &&
            follows_the_clock(d, right, scratch, &settled))
            found[(*count)++] = (RbClockRelation){
                i, left, right, degree(d, left, scratch) < 2 && degree(d, right, scratch) < 2,
                settled};
    }
    return found;
}

// Both sides of a relation as tapes, or NULL.
typedef struct RbClockTapes {
    RbTape *left, *right;
    bool bounded; // it is known between which bounds they lie
} RbClockTapes;

static RbClockTapes open_tapes(RbProgramInstance *in, const RbClockRelation *c) {
    const RbSortedDae *d = in->program->dae;
    RbClockTapes t = {0};
    if (c->affine) return t;
    t.left = rb_tape(d, c->left, in->arena, *in->call_arena);
    t.right = rb_tape(d, c->right, in->arena, *in->call_arena);
    if (!t.left || !t.right) return (RbClockTapes){0};
    t.bounded = rb_tape_is_bounded(t.left) && rb_tape_is_bounded(t.right);
    return t;
}

void rb_timing_open(RbProgramInstance *in, double start, double stop) {
    const RbProgram *p = in->program;
    int count = p->clock_relation_count;
    in->run_start = start;
    in->run_stop = stop;
    if (!in->clock_next) {
        in->clock_next = rb_new_array(in->arena, double, count + 1);
        in->clock_tapes = rb_new_array(in->arena, RbClockTapes, count + 1);
        for (int i = 0; i < count; i++) in->clock_tapes[i] = open_tapes(in, &p->clock_relations[i]);
    }
    for (int i = 0; i < count; i++) in->clock_next[i] = NAN;
}

// One relation while it is looked at.
typedef struct Watch {
    RbProgramInstance *in;
    const RbClockRelation *c;
    RbOp op;
    RbClockTapes tapes;
} Watch;

static double side(const Watch *w, RbTape *tape, const RbExpr *e, double time) {
    if (tape) return rb_tape_at(tape, time);
    w->in->frame.t = time;
    return rb_interpret_number(w->in, e);
}

static double difference(const Watch *w, double time) {
    return side(w, w->tapes.left, w->c->left, time) - side(w, w->tapes.right, w->c->right, time);
}

static bool holds(const Watch *w, double time) {
    double left = side(w, w->tapes.left, w->c->left, time),
           right = side(w, w->tapes.right, w->c->right, time);
    switch (w->op) {
        case RB_OP_LT: return left < right;
        case RB_OP_LE: return left <= right;
        case RB_OP_GT: return left > right;
        default: return left >= right;
    }
}

// With z affine in time the crossing is known.
static double affine_switch(const Watch *w, double now) {
    const double h = fmax(1, fabs(now));
    double z0 = difference(w, now), z1 = difference(w, now + h);
    if (!(z1 != z0)) return INFINITY;
    double t = now - z0 * h / (z1 - z0);
    if (!(t > now) || !isfinite(t)) return INFINITY;
    bool before = holds(w, now);
    // The first number at which the relation has changed: time >= 0.3 does at 0.3, not a rounding later.
    enum { ROUNDINGS = 8 };
    for (int k = 0; k < ROUNDINGS && holds(w, t) == before; k++) t = nextafter(t, INFINITY);
    for (int k = 0; k < ROUNDINGS; k++) {
        double earlier = nextafter(t, now);
        if (!(earlier > now) || holds(w, earlier) == before) break;
        t = earlier;
    }
    return t;
}

// The first number at which it does not hold (or does) any more, given that it is so at b and not at a.
static double halve(const Watch *w, double a, double b, bool before) {
    for (;;) {
        double middle = 0.5 * (a + b);
        if (!(middle > a && middle < b)) return b;
        if (holds(w, middle) == before)
            a = middle;
        else
            b = middle;
    }
}

// What switches right now is left to the indicator.
static double behind(const Watch *w, double now) {
    double length = w->in->run_stop - w->in->run_start;
    return now + fmin(1e-9 * length, 1e-12 * fabs(now) + 1e-15 * length);
}

// No bounds are known: it is looked at at a thousand times over the run, and more densely behind a
// switch, so that one that follows soon is found.
static double looked_switch(const Watch *w, double now, double limit) {
    const RbProgramInstance *in = w->in;
    double length = in->run_stop - in->run_start, look = length / RB_LOOKS;
    double last = behind(w, now), since = look / 1024;
    bool before = holds(w, last);
    for (; since < 10 * look && last < limit; since *= 1.1) { // each a tenth farther
        if (holds(w, now + since) != before) return halve(w, last, now + since, before);
        last = now + since;
    }
    int k = (int)fmax(0, floor((last - in->run_start) / length * RB_LOOKS));
    for (; k <= RB_LOOKS && last < limit; k++) {
        double t = in->run_start + k * look;
        if (!(t > last)) continue;
        if (holds(w, t) != before) return halve(w, last, t, before);
        last = t;
    }
    return last < limit ? INFINITY : limit;
}

// Interval after interval, each as long as bounds show that nothing switches in it, or one thing at
// most: there the difference of both sides rises or falls. So none is missed.
static double bounded_switch(const Watch *w, double now, double limit) {
    enum { INTERVALS_MAX = 20000 };
    double stop = fmin(w->in->run_stop, limit), t = behind(w, now), h = (stop - t) / 8;
    bool before = holds(w, t);
    for (int k = 0; t < stop; k++) {
        if (k == INTERVALS_MAX) return t;
        double end = fmin(t + h, stop);
        RbRange l = rb_tape_range(w->tapes.left, t, end), r = rb_tape_range(w->tapes.right, t, end);
        bool apart = l.low > r.high || l.high < r.low;
        bool steady = l.slope_low > r.slope_high || l.slope_high < r.slope_low;
        bool tiny = h <= 8 * rb_time_rounding(t);
        if (!apart && !steady && !tiny) {
            h /= 2;
            continue;
        }
        if (!apart && holds(w, end) != before) return halve(w, t, end, before);
        t = end;
        h *= 2;
    }
    return stop < w->in->run_stop ? stop : INFINITY;
}

static double searched_switch(const Watch *w, double now, double limit) {
    double length = w->in->run_stop - w->in->run_start;
    if (!(length > 0) || !isfinite(length)) return INFINITY;
    if (w->tapes.left) rb_tape_set(w->tapes.left, w->in);
    if (w->tapes.right) rb_tape_set(w->tapes.right, w->in);
    return w->tapes.bounded ? bounded_switch(w, now, limit) : looked_switch(w, now, limit);
}

// A limit that was reached is no answer: then it is asked again.
static double switching_time(RbProgramInstance *in, int i, double now, double limit) {
    const RbClockRelation *c = &in->program->clock_relations[i];
    Watch w = {in, c, in->program->dae->relations.data[c->relation].op,
               in->clock_tapes ? in->clock_tapes[i] : (RbClockTapes){0}};
    if (c->affine) return affine_switch(&w, now);
    double *known = in->clock_next ? &in->clock_next[i] : NULL;
    if (known && c->settled && *known > now) return *known;
    double t = searched_switch(&w, now, c->settled ? INFINITY : limit);
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
