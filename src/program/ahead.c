// SPDX-License-Identifier: MIT
#include "program/ahead.h"

#include <math.h>

#include "expr/builtins.h"
#include "expr/simplify.h"
#include "program/program_instance.h"

// ---------------------------------------------------------------------------------------------------
// which expressions

enum { OF_TIME = 1, OF_OTHERS = 2, SEEN = 4 };

typedef struct Selection {
    const RbSortedDae *dae;
    const RbExpr **clock;   // by variable: the function of time that it is assigned, or NULL
    unsigned char *depends; // by node of the equations: SEEN and what it depends on; 0: not seen
    RbExprOrder order;      // of these nodes, arguments first
    int next;               // in that order
    RbMap known;            // id of what was found
    RbClockValues found;
    RbArena *arena;
} Selection;

// A parameter; or an object that was made from parameters.
static bool is_constant(const RbSortedDae *d, const RbExpr *var) {
    RbDaeKind kind = d->vars.data[var->index].kind;
    bool object = var->type == RB_EXTERNAL || var->type == RB_STRING;
    return kind == RB_DAE_PARAMETER || (object && kind == RB_DAE_UNUSED);
}

// What a node itself adds to that of its arguments.
static int own_dependence(const Selection *s, const RbExpr *e) {
    switch (e->op) {
        case RB_OP_TIME: return OF_TIME;
        case RB_OP_VAR:
            if (s->clock[e->index]) return OF_TIME;
            return is_constant(s->dae, e) ? 0 : OF_OTHERS;
        case RB_OP_CALL: {
            const RbFunction *f = s->dae->model->functions.data[e->index];
            return f->kind == RB_FUNCTION_COMPONENT || f->is_impure ? OF_OTHERS : 0;
        }
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

static void add_value(Selection *s, const RbExpr *e) {
    if (rb_map_find(&s->known, (uint64_t)e->id)) return;
    rb_map_set(&s->known, s->arena, (uint64_t)e->id, 1);
    rb_array_push(&s->found, s->arena, e);
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

// What is of time alone and may jump is noted.
static void look_at(Selection *s, const RbExpr *e, RbArena scratch) {
    int on = own_dependence(s, e);
    for (int k = 0; k < e->arg_count; k++) on |= dependence(s, e->args[k]);
    s->depends[e->id] = (unsigned char)(on | SEEN);
    bool number = e->rank == 0 && (e->type == RB_REAL || e->type == RB_INTEGER);
    if (on == OF_TIME && number && may_jump(e)) add_value(s, unfold(s, e, scratch));
}

// Returns what the value of e depends on: the nodes up to it are looked at.
static int look_into(Selection *s, const RbExpr *e, RbArena scratch) {
    while (!s->depends[e->id]) look_at(s, s->order.nodes[s->next++], scratch);
    return dependence(s, e);
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

static bool any_may_jump(RbExprOrder order) {
    int i = 0;
    while (i < order.count && !may_jump(order.nodes[i])) i++;
    return i < order.count;
}

RbClockValues rb_clock_values(const RbSortedDae *d, RbArena *arena, RbArena scratch) {
    RbExprOrder order = order_nodes(d, &scratch);
    if (!any_may_jump(order)) return (RbClockValues){0};
    Selection s = {.dae = d,
                   .clock = rb_new_array(&scratch, const RbExpr *, d->vars.count),
                   .depends = rb_new_array(&scratch, unsigned char, d->exprs->count + 1),
                   .order = order,
                   .arena = arena};
    for (int i = 0; i < d->blocks.count; i++) {
        const RbBlock *b = &d->blocks.data[i];
        if (!is_looked_at(b)) continue;
        for (int k = 0; k < b->assign_count; k++) {
            const RbAssignment *a = &b->assigns[k];
            int on = a->value ? look_into(&s, a->value, scratch) : OF_OTHERS;
            bool scalar = on == OF_TIME && b->kind == RB_BLOCK_ASSIGN && a->value->rank == 0;
            if (scalar) s.clock[a->var] = unfold(&s, a->value, scratch);
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
    RbJumpSearch search;
} Clock;

struct RbAhead {
    Clock *clocks;
    int count;
    double jump;  // [s] the next one
    double event; // [s] what rb_ahead_next returned last
};

// What cannot be evaluated there is no failure: the run may never get there.
static void value_at(void *user, double t, double *value) {
    Clock *c = user;
    RbProgramInstance *in = c->in;
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

void rb_ahead_open(RbProgramInstance *in, double start, double stop) {
    const RbProgram *p = in->program;
    int count = p->clock_values.count;
    if (count == 0) return;
    if (!in->ahead) {
        in->ahead = rb_new(in->arena, struct RbAhead);
        in->ahead->clocks = rb_new_array(in->arena, Clock, count);
    }
    struct RbAhead *a = in->ahead;
    a->count = count;
    for (int i = 0; i < a->count; i++) {
        Clock *c = &a->clocks[i];
        *c = (Clock){in, p->clock_values.data[i], {value_at, c, 1, start, stop, {0}}};
        rb_jumps_open(&c->search);
    }
    // A run that is resumed right before a jump has yet to pass it.
    double now = in->frame.t;
    a->jump = first_jump(a, fmax(start, now - 16 * rb_time_rounding(now)));
    a->event = INFINITY;
}

void rb_ahead_renew(RbProgramInstance *in) {
    if (!in->ahead) return;
    const RbJumpSearch *any = &in->ahead->clocks[0].search;
    rb_ahead_open(in, any->start, any->stop);
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
    if (!isfinite(a->jump)) return a->event = INFINITY;
    a->event = now < a->jump - beside ? a->jump - beside : a->jump + beside;
    return a->event;
}

bool rb_ahead_due(const RbProgramInstance *in, double time) {
    return in->ahead && time >= in->ahead->event;
}
