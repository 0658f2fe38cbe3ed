// SPDX-License-Identifier: MIT
#include "program/ahead.h"

#include <math.h>

#include "expr/builtins.h"
#include "expr/simplify.h"
#include "program/program_instance.h"
#include "program/tape.h"
#include "program/timing.h"

// ---------------------------------------------------------------------------------------------------
// which expressions

enum { OF_TIME = 1, OF_OTHERS = 2, SEEN = 4, OF_EVENTS = 8 }; // a relation that is an event

typedef struct Selection {
    const RbSortedDae *dae;
    const RbExpr **clock;   // by variable: the function of time that it is assigned, or NULL
    unsigned char *events;  // by variable: OF_EVENTS if that function contains such a relation
    unsigned char *depends; // by node of the equations: SEEN and what it depends on; 0: not seen
    RbExprOrder order;      // of these nodes, arguments first
    int next;               // in that order
    RbMap known, heard;     // id of what was found
    RbClocks found;
    RbArena *arena;
} Selection;

// A parameter; or an object that was made from parameters.
static bool is_constant(const RbSortedDae *d, const RbExpr *var) {
    RbDaeKind kind = d->vars.data[var->index].kind;
    bool object = var->type == RB_EXTERNAL || var->type == RB_STRING;
    return kind == RB_DAE_PARAMETER || (object && kind == RB_DAE_UNUSED);
}

static bool is_about_events(RbBuiltin f) {
    return f == RB_FN_SAMPLE || f == RB_FN_INITIAL || f == RB_FN_TERMINAL || f == RB_FN_EDGE ||
           f == RB_FN_CHANGE;
}

// What a node itself adds to that of its arguments.
static int own_dependence(const Selection *s, const RbExpr *e) {
    switch (e->op) {
        case RB_OP_TIME: return OF_TIME;
        case RB_OP_VAR:
            if (s->clock[e->index]) return OF_TIME | s->events[e->index];
            return is_constant(s->dae, e) ? 0 : OF_OTHERS;
        case RB_OP_CALL: {
            const RbFunction *f = s->dae->model->functions.data[e->index];
            return f->kind == RB_FUNCTION_COMPONENT || f->is_impure ? OF_OTHERS : 0;
        }
        case RB_OP_BUILTIN: return is_about_events((RbBuiltin)e->index) ? OF_OTHERS : 0;
        case RB_OP_LOCAL:
        case RB_OP_DER:
        case RB_OP_PRE: return OF_OTHERS;
        default: return 0;
    }
}

static const RbExpr *replace(void *user, const RbExpr *e) {
    const Selection *s = user;
    return e->op == RB_OP_VAR ? s->clock[e->index] : NULL;
}

// With time instead of variables that are functions of it.
static const RbExpr *unfold(Selection *s, const RbExpr *e, RbArena scratch) {
    return rb_substitute_leaves(s->dae->exprs, e, replace, s, scratch);
}

static void add_once(Selection *s, RbMap *known, RbClockValues *list, const RbExpr *e) {
    if (rb_map_find(known, (uint64_t)e->id)) return;
    rb_map_set(known, s->arena, (uint64_t)e->id, 1);
    rb_array_push(list, s->arena, e);
}

static bool is_number(const RbExpr *e) {
    return e->rank == 0 && (e->type == RB_REAL || e->type == RB_INTEGER);
}

// What is long would make the look ahead dearer than the run.
static void add_signal(Selection *s, const RbExpr *e, RbArena scratch) {
    if (!is_number(e) || e->op == RB_OP_TIME) return;
    e = unfold(s, e, scratch);
    RbExprOrder order = rb_expr_order(s->dae->exprs, &e, 1, &scratch);
    const int LONG = 1000;
    double *size =
        rb_new_array(&scratch, double, order.count + 1); // what is shared is evaluated again
    RbMap place = {0};
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        rb_map_set(&place, &scratch, (uint64_t)n->id, (uint64_t)i);
        size[i] = 1;
        for (int k = 0; k < n->arg_count; k++)
            size[i] += size[*rb_map_find(&place, (uint64_t)n->args[k]->id)];
        if (n->rank > 0 || size[i] > LONG) return;
    }
    add_once(s, &s->heard, &s->found.signals, e);
}

// Functions of the language that jump stand here within noEvent or smooth: elsewhere they are events.
static bool may_jump(const RbExpr *e) {
    if (e->op != RB_OP_BUILTIN) return e->op == RB_OP_CALL || e->op == RB_OP_IF;
    return rb_builtin_has((RbBuiltin)e->index, RB_TRAIT_JUMPS);
}

// Of a node that was looked at. What a variable depends on is known once it is assigned, and below
// pre() it is met before.
static int dependence(const Selection *s, const RbExpr *e) {
    return e->op == RB_OP_VAR ? own_dependence(s, e) : s->depends[e->id] & ~SEEN;
}

// What is of time alone is noted; where it jumps because of an event the run stops anyway.
static void look_at(Selection *s, const RbExpr *e, RbArena scratch) {
    int on = own_dependence(s, e);
    for (int k = 0; k < e->arg_count; k++) on |= dependence(s, e->args[k]);
    s->depends[e->id] = (unsigned char)(on | SEEN);
    if (on == OF_TIME && is_number(e) && may_jump(e))
        add_once(s, &s->known, &s->found.values, unfold(s, e, scratch));
    for (int k = 0; (on & OF_OTHERS) && k < e->arg_count; k++) {
        if ((dependence(s, e->args[k]) & ~OF_EVENTS) == OF_TIME) add_signal(s, e->args[k], scratch);
    }
}

// Returns what the value of e depends on: the nodes up to it are looked at.
static int look_into(Selection *s, const RbExpr *e, RbArena scratch) {
    while (!s->depends[e->id]) look_at(s, s->order.nodes[s->next++], scratch);
    return dependence(s, e);
}

// A relation changes at events, but is that of time at any moment: what it chooses between may be a
// signal. `left` nodes are looked at.
static bool is_relation_of_time(const Selection *s, const RbExpr *e, int *left) {
    if (--*left < 0 || (own_dependence(s, e) & OF_OTHERS)) return false;
    int k = 0;
    while (k < e->arg_count && is_relation_of_time(s, e->args[k], left)) k++;
    return k == e->arg_count;
}

static void note_relations(Selection *s, const RbBlock *b, RbArena scratch) {
    if (!b->discrete || b->kind != RB_BLOCK_ASSIGN) return;
    for (int k = 0; k < b->assign_count; k++) {
        const RbAssignment *a = &b->assigns[k];
        int left = 100;
        if (a->value && a->value->type == RB_BOOLEAN && a->value->rank == 0 &&
            is_relation_of_time(s, a->value, &left))
            s->clock[a->var] = unfold(s, a->value, scratch), s->events[a->var] = OF_EVENTS;
    }
}

static bool is_looked_at(const RbBlock *b) {
    return !b->discrete && b->needed;
}

// All values and residuals, in the order in which they are computed; their nodes are ordered once.
static RbExprOrder order_nodes(const RbSortedDae *d, RbArena *arena) {
    RB_ARRAY(const RbExpr *) roots = {0};
    for (int i = 0; i < d->blocks.count; i++) {
        const RbBlock *b = &d->blocks.data[i];
        if (!is_looked_at(b)) continue;
        for (int k = 0; k < b->assign_count; k++) rb_array_push(&roots, arena, b->assigns[k].value);
        for (int k = 0; b->residuals && k < b->size; k++)
            rb_array_push(&roots, arena, b->residuals[k]);
    }
    return rb_expr_order(d->exprs, roots.data, roots.count, arena);
}

static bool any_of_time(RbExprOrder order) {
    int i = 0;
    while (i < order.count && order.nodes[i]->op != RB_OP_TIME) i++;
    return i < order.count;
}

// By variable: is it the derivative of a state, under whatever name?
static bool *find_slopes(const RbSortedDae *d, RbArena *arena) {
    bool *slope = rb_new_array(arena, bool, d->vars.count + 1);
    for (int i = 0; i < d->states.count; i++) {
        int v = d->vars.data[d->states.data[i]].derivative;
        while (v >= 0 && d->vars.data[v].kind == RB_DAE_ALIAS) v = d->vars.data[v].alias;
        if (v >= 0) slope[v] = true;
    }
    return slope;
}

RbClocks rb_clocks(const RbSortedDae *d, RbArena *arena, RbArena scratch) {
    RbExprOrder order = order_nodes(d, &scratch);
    if (!any_of_time(order)) return (RbClocks){0};
    Selection s = {.dae = d,
                   .clock = rb_new_array(&scratch, const RbExpr *, d->vars.count),
                   .events = rb_new_array(&scratch, unsigned char, d->vars.count + 1),
                   .depends = rb_new_array(&scratch, unsigned char, d->exprs->count + 1),
                   .order = order,
                   .arena = arena};
    const bool *slope = find_slopes(d, &scratch);
    for (int i = 0; i < d->blocks.count; i++) {
        const RbBlock *b = &d->blocks.data[i];
        note_relations(&s, b, scratch);
        if (!is_looked_at(b)) continue;
        for (int k = 0; k < b->assign_count; k++) {
            const RbAssignment *a = &b->assigns[k];
            int on = a->value ? look_into(&s, a->value, scratch) : OF_OTHERS;
            bool scalar =
                (on & ~OF_EVENTS) == OF_TIME && b->kind == RB_BLOCK_ASSIGN && a->value->rank == 0;
            if (scalar) s.clock[a->var] = unfold(&s, a->value, scratch);
            if (scalar) s.events[a->var] = (unsigned char)(on & OF_EVENTS);
            if (scalar && slope[a->var]) add_signal(&s, a->value, scratch);
        }
        for (int k = 0; b->residuals && k < b->size; k++) look_into(&s, b->residuals[k], scratch);
    }
    return s.found;
}

// -----------------------------------------------------------------------------------------------------
// looking

typedef struct Clock {
    RbProgramInstance *in;
    const RbExpr *value;
    RbTape *tape; // of the same, or NULL: it is interpreted
    RbJumpSearch search;
} Clock;

typedef RB_ARRAY(double) Times;

struct RbAhead {
    Clock *clocks, *signals;
    int count;
    double jump;  // [s] the next one
    double event; // [s] what rb_ahead_next returned last
    Times wakes;  // [s] ascending
    double looks[RB_LOOKS + 1];
};

// What cannot be evaluated there is no failure: the run may never get there.
static void value_at(void *user, double t, double *value) {
    Clock *c = user;
    RbProgramInstance *in = c->in;
    if (c->tape) {
        value[0] = rb_tape_at(c->tape, t);
        return;
    }
    double now = in->frame.t;
    int failed = in->frame.failed;
    const char *failure = in->failure;
    in->frame.t = t;
    value[0] = rb_interpret_number(in, c->value);
    in->frame.t = now;
    in->frame.failed = failed;
    in->failure = failure;
}

static double first_jump(const struct RbAhead *a, double t) {
    double next = INFINITY;
    for (int i = 0; i < a->count; i++)
        next = fmin(next, rb_jumps_next(&a->clocks[i].search, t, next));
    return next;
}

// ---- pauses

enum { PAUSE = RB_LOOKS / 50 };
static const double BEND = 1e-3, LEAP = 0.05; // of the range

static double range_of(const double *v, int count) {
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < count; k++) {
        if (!isfinite(v[k])) continue;
        least = fmin(least, v[k]);
        most = fmax(most, v[k]);
    }
    return most - least;
}

static double distance(const double *v, int anchor, int k) {
    return fabs(v[k] - (v[anchor] + (k - anchor) * (v[anchor + 1] - v[anchor])));
}

// A slow wave bends like a parabola, and needs seven times as long for a leap as it was straight.
static bool leaps(const double *v, int anchor, int leave, double leap) {
    int last = leave + (leave - anchor);
    for (int k = leave + 1; k <= last && k <= RB_LOOKS; k++) {
        if (distance(v, anchor, k) > leap) return true;
    }
    return false;
}

// Where values leave a straight line after a pause.
static void add_wakes(struct RbAhead *a, const double *v, double start, double step,
                      RbArena *arena) {
    double range = range_of(v, RB_LOOKS + 1);
    if (!(range > 0) || !isfinite(range)) return;
    for (int k = 2, anchor = 0; k <= RB_LOOKS; k++) {
        if (!isfinite(distance(v, anchor, k))) anchor = k - 1; // go on behind it
        if (!(distance(v, anchor, k) > BEND * range)) continue;
        if (k - 1 - anchor >= PAUSE && leaps(v, anchor, k - 1, LEAP * range))
            rb_array_push(&a->wakes, arena, start + (k - 1) * step);
        anchor = k - 1;
    }
}

static void find_wakes(RbProgramInstance *in, double start, double stop) {
    struct RbAhead *a = in->ahead;
    const RbClockValues *signals = &in->program->clock_signals;
    double *v = a->looks, step = (stop - start) / RB_LOOKS;
    a->wakes.count = 0;
    for (int i = 0; i < signals->count && step > 0 && isfinite(step); i++) {
        Clock *clock = &a->signals[i];
        if (clock->tape) rb_tape_set(clock->tape, in);
        for (int k = 0; k <= RB_LOOKS; k++) value_at(clock, start + k * step, &v[k]);
        add_wakes(a, v, start, step, in->arena);
    }
    rb_times_sort(a->wakes.data, a->wakes.count);
}

static double next_wake(const struct RbAhead *a, double now) {
    return rb_times_after(a->wakes.data, a->wakes.count, now);
}

// ---- both

static Clock *open_clocks(RbProgramInstance *in, const RbClockValues *values) {
    Clock *clocks = rb_new_array(in->arena, Clock, values->count + 1);
    for (int i = 0; i < values->count; i++) {
        clocks[i].in = in;
        clocks[i].value = values->data[i];
        clocks[i].tape = rb_tape(in->program->dae, values->data[i], in->arena, *in->call_arena);
    }
    return clocks;
}

void rb_ahead_open(RbProgramInstance *in, double start, double stop) {
    const RbProgram *p = in->program;
    int count = p->clock_values.count;
    rb_timing_open(in, start, stop);
    if (count + p->clock_signals.count == 0) return;
    if (!in->ahead) {
        in->ahead = rb_new(in->arena, struct RbAhead);
        in->ahead->clocks = open_clocks(in, &p->clock_values);
        in->ahead->signals = open_clocks(in, &p->clock_signals);
    }
    struct RbAhead *a = in->ahead;
    find_wakes(in, start, stop);
    a->count = count;
    for (int i = 0; i < a->count; i++) {
        Clock *c = &a->clocks[i];
        if (c->tape) rb_tape_set(c->tape, in);
        c->search = (RbJumpSearch){value_at, c, 1, start, stop, {0}};
        rb_jumps_open(&c->search);
    }
    // A run that is resumed right before a jump has yet to pass it.
    double now = in->frame.t;
    a->jump = first_jump(a, fmax(start, now - 16 * rb_time_rounding(now)));
    a->event = INFINITY;
}

void rb_ahead_renew(RbProgramInstance *in) {
    rb_ahead_open(in, in->run_start, in->run_stop);
}

// The function is asked on both sides, and where a step across the jump ends does not matter.
double rb_ahead_next(RbProgramInstance *in) {
    struct RbAhead *a = in->ahead;
    if (!a) return INFINITY;
    double now = in->frame.t, beside = 4 * rb_time_rounding(a->jump);
    if (now >= a->jump + beside) {
        a->jump = first_jump(a, now);
        beside = 4 * rb_time_rounding(a->jump);
    }
    double wake = next_wake(a, now);
    if (!isfinite(a->jump)) return a->event = wake;
    a->event = fmin(wake, now < a->jump - beside ? a->jump - beside : a->jump + beside);
    return a->event;
}

// A run that was resumed has not asked for the next one yet: so it is looked for at this time.
bool rb_ahead_due(const RbProgramInstance *in, double time) {
    const struct RbAhead *a = in->ahead;
    if (!a) return false;
    double near = 16 * rb_time_rounding(time);
    if (fabs(time - a->event) <= near || next_wake(a, time - near) <= time + near) return true;
    for (int i = 0; i < a->count; i++) {
        const RbJumpSearch *s = &a->clocks[i].search;
        if (isfinite(rb_jumps_next(s, fmax(s->start, time - near), time + near))) return true;
    }
    return false;
}
