// SPDX-License-Identifier: MIT
// Ticks as when-equations, and the variables that are held between them.
#include "flatten/clock.h"

static const RbExpr *ref(RbFrontEnd *fe, int v) {
    return rb_flat_ref(fe->flat, v);
}

static const RbExpr *number(RbFrontEnd *fe, int64_t n) {
    return rb_integer(fe->x, n);
}

static const RbClockDef *base_of(const RbClocking *c, const RbClockNode *n) {
    return &c->defs.data[n->base - 1];
}

static bool is_periodic(const RbClockDef *d) {
    return d->kind == RB_CLOCK_RATIONAL || d->kind == RB_CLOCK_REAL;
}

// --- conditions ----------------------------------------------------------------------------------

// Ticks at (start + k * interval) / resolution: for a rational base clock in whole numbers.
static const RbExpr *periodic(RbFrontEnd *fe, const RbClockDef *d, const RbClockNode *n) {
    RbRatio interval = n->factor, start = n->shift;
    bool rational = d->kind == RB_CLOCK_RATIONAL;
    if (rational) {
        RbRatio unit = rb_ratio(d->counter, d->resolution);
        interval = rb_ratio_mul(interval, unit);
        start = rb_ratio_mul(start, unit);
    }
    int64_t common = rb_ratio(interval.d, start.d).n * start.d; // least common multiple
    const RbExpr *first = rb_real(fe->x, (double)(start.n * (common / start.d)));
    const RbExpr *step = rb_real(fe->x, (double)(interval.n * (common / interval.d)));
    if (!rational) {
        first = rb_mul(fe->x, first, d->value);
        step = rb_mul(fe->x, step, d->value);
    }
    const RbExpr *args[] = {first, step, rb_real(fe->x, (double)common)};
    return rb_builtin(fe->x, RB_FN_SAMPLE, args, 3);
}

static RbClockNode *base_node(RbClocking *c, const RbClockNode *n) {
    return rb_clock_node(c, base_of(c, n)->var);
}

static bool is_base(const RbClockNode *n) {
    return n->factor.n == n->factor.d && n->shift.n == 0;
}

// Every factor-th tick of a base clock whose ticks have no common distance.
static const RbExpr *counted(RbFrontEnd *fe, RbClocking *c, const RbClockNode *n) {
    RbExprs *x = fe->x;
    const RbExpr *ticks = rb_clock_ticks(fe, c, base_node(c, n));
    if (n->factor.d != 1 || n->shift.d != 1) {
        rb_fail(fe->diag, RB_ERROR_MODEL, base_of(c, n)->at,
                "the ticks of this clock have no common distance, so that nothing can tick between "
                "them; only subSample "
                "and shifts by whole ticks are possible");
        return rb_boolean(x, false);
    }
    const RbExpr *passed = rb_sub(x, ticks, number(fe, n->shift.n + 1));
    const RbExpr *due = rb_relate(
        x, RB_OP_EQ, rb_builtin2(x, RB_FN_MOD, passed, number(fe, n->factor.n)), number(fe, 0));
    const RbExpr *begun = rb_relate(x, RB_OP_GE, passed, number(fe, 0));
    return rb_and(x, rb_builtin1(x, RB_FN_CHANGE, ticks), rb_and(x, begun, due));
}

// The next tick of a clock that says at each when the next is. Its first is at the start of the run.
static const RbExpr *varying(RbFrontEnd *fe, RbClockNode *n, const RbClockDef *d,
                             RbEquations *list) {
    RbExprs *x = fe->x;
    int next = rb_clock_scalar(fe, "next", RB_REAL, d->at),
        sum = rb_clock_scalar(fe, "sum", RB_REAL, d->at);
    int begin = rb_clock_scalar(fe, "begin", RB_REAL, d->at);
    fe->flat->vars.data[next].attributes.start = rb_real(x, -1e60);
    const RbExpr *first = rb_relate(x, RB_OP_EQ, rb_pre(x, ref(fe, n->ticks)), number(fe, 0));
    const RbExpr *since = rb_div(x, ref(fe, sum), rb_real(x, (double)d->resolution));
    rb_flat_equal(fe->flat, list, ref(fe, begin),
                  rb_if(x, first, rb_time(x), rb_pre(x, ref(fe, begin))), d->at);
    rb_flat_equal(fe->flat, list, ref(fe, sum), rb_add(x, rb_pre(x, ref(fe, sum)), d->value),
                  d->at);
    rb_flat_equal(fe->flat, list, ref(fe, next), rb_add(x, ref(fe, begin), since), d->at);
    const RbExpr *due = rb_relate(x, RB_OP_GE, rb_time(x), rb_pre(x, ref(fe, next)));
    return rb_and(x, due, rb_not(x, rb_builtin(x, RB_FN_INITIAL, NULL, 0)));
}

// The tick comes a round of the event iteration after its condition, which what is held since may end. A condition that is
// true from the start does not become true.
static const RbExpr *event(RbFrontEnd *fe, const RbClockDef *d) {
    int v = rb_clock_scalar(fe, "event", RB_BOOLEAN, d->at);
    fe->flat->vars.data[v].binding = d->value;
    const RbExpr *before = rb_pre(fe->x, ref(fe, v));
    rb_flat_equal(fe->flat, &fe->flat->initial_equations, before, ref(fe, v), d->at)->origin = "";
    return before;
}

static const RbExpr *condition(RbFrontEnd *fe, RbClocking *c, RbClockNode *n, RbEquations *list) {
    const RbClockDef *d = base_of(c, n);
    if (is_periodic(d)) return periodic(fe, d, n);
    if (!is_base(n)) return counted(fe, c, n);
    return d->kind == RB_CLOCK_EVENT ? event(fe, d) : varying(fe, n, d, list);
}

RbEquations *rb_clock_when(RbFrontEnd *fe, RbClocking *c, RbClockNode *n) {
    if (n->when) return &n->when->branches.data[0].equations;
    RbPos at = base_of(c, n)->at;
    RbBranch branch = {0};
    n->ticks = rb_clock_scalar(fe, "ticks", RB_INTEGER, at);
    const RbExpr *ticks = ref(fe, n->ticks);
    n->when = rb_new(fe->arena, RbEquation);
    *n->when = (RbEquation){.kind = RB_EQ_WHEN, .at = at, .origin = ""};
    rb_flat_equal(fe->flat, &branch.equations, ticks,
                  rb_add(fe->x, rb_pre(fe->x, ticks), number(fe, 1)), at);
    branch.condition = condition(fe, c, n, &branch.equations);
    rb_array_push(&n->when->branches, fe->arena, branch);
    rb_array_push(&fe->flat->equations, fe->arena, n->when);
    return &n->when->branches.data[0].equations;
}

// --- what is known at a tick ---------------------------------------------------------------------

// v = value at every tick.
static void at_tick(RbFrontEnd *fe, RbClocking *c, RbClockNode *n, int v, const RbExpr *value,
                    RbPos at) {
    rb_flat_equal(fe->flat, rb_clock_when(fe, c, n), ref(fe, v), value, at);
}

// The same, and `start` at the start of a run if the first tick is there: equations that read v have its first value from the
// beginning. What ticks later has its start value until then.
static void from_start(RbFrontEnd *fe, RbClocking *c, RbClockNode *n, int v, const RbExpr *start,
                       const RbExpr *value, RbPos at) {
    rb_clock_when(fe, c, n);
    RbEquation *eq = rb_equation(&fe->flat->equations, fe->arena, RB_EQ_WHEN, at);
    RbBranch now = {.condition = rb_builtin(fe->x, RB_FN_INITIAL, NULL, 0)};
    RbBranch tick = {.condition = n->when->branches.data[0].condition};
    eq->origin = "";
    rb_flat_equal(fe->flat, &now.equations, ref(fe, v), start, at);
    rb_flat_equal(fe->flat, &tick.equations, ref(fe, v), value, at);
    bool later = n->shift.n > 0 || base_of(c, n)->kind == RB_CLOCK_EVENT;
    if (!later) rb_array_push(&eq->branches, fe->arena, now);
    rb_array_push(&eq->branches, fe->arena, tick);
}

static const RbExpr *is_first(RbFrontEnd *fe, RbClocking *c, RbClockNode *n) {
    return rb_relate(fe->x, RB_OP_EQ, rb_pre(fe->x, rb_clock_ticks(fe, c, n)), number(fe, 0));
}

const RbExpr *rb_clock_ticks(RbFrontEnd *fe, RbClocking *c, RbClockNode *n) {
    rb_clock_when(fe, c, n);
    return ref(fe, n->ticks);
}

const RbExpr *rb_clock_first(RbFrontEnd *fe, RbClocking *c, RbClockNode *n) {
    if (n->first > 0) return ref(fe, n->first - 1);
    int v = rb_clock_scalar(fe, "first", RB_BOOLEAN, base_of(c, n)->at);
    n->first = v + 1;
    fe->flat->vars.data[v].attributes.start = rb_boolean(fe->x, true);
    at_tick(fe, c, n, v, is_first(fe, c, n), base_of(c, n)->at);
    return ref(fe, v);
}

const RbExpr *rb_clock_time(RbFrontEnd *fe, RbClocking *c, RbClockNode *n) {
    if (n->time > 0) return ref(fe, n->time - 1);
    int v = rb_clock_scalar(fe, "time", RB_REAL, base_of(c, n)->at);
    n->time = v + 1;
    from_start(fe, c, n, v, rb_time(fe->x), rb_time(fe->x), base_of(c, n)->at);
    return ref(fe, v);
}

const RbExpr *rb_clock_interval(RbFrontEnd *fe, RbClocking *c, RbClockNode *n) {
    const RbClockDef *d = base_of(c, n);
    RbRatio f = n->factor;
    if (d->kind == RB_CLOCK_RATIONAL) {
        f = rb_ratio_mul(f, rb_ratio(d->counter, d->resolution));
        return rb_real(fe->x, (double)f.n / (double)f.d);
    }
    if (d->kind == RB_CLOCK_REAL)
        return rb_mul(fe->x, rb_real(fe->x, (double)f.n / (double)f.d), d->value);
    if (n->interval > 0) return ref(fe, n->interval - 1);
    int v = rb_clock_scalar(fe, "interval", RB_REAL, d->at);
    n->interval = v + 1;
    const RbExpr *start = d->kind == RB_CLOCK_EVENT
                              ? d->start
                              : rb_div(fe->x, d->value, rb_real(fe->x, (double)d->resolution));
    const RbExpr *now = rb_clock_time(fe, c, n), *since = rb_sub(fe->x, now, rb_pre(fe->x, now));
    at_tick(fe, c, n, v, rb_if(fe->x, is_first(fe, c, n), start, since), d->at);
    if (d->kind == RB_CLOCK_EVENT) fe->flat->vars.data[v].attributes.start = start;
    return ref(fe, v);
}

// --- operators -----------------------------------------------------------------------------------

static void start_like(RbFrontEnd *fe, int v, int like) {
    fe->flat->vars.data[v].attributes.start = fe->flat->vars.data[like].attributes.start;
}

static void hold(RbFrontEnd *fe, RbClocking *c, RbClockNode *n, int v, int result, RbPos at) {
    start_like(fe, result, v);
    at_tick(fe, c, n, result, ref(fe, v), at);
}

static void previous(RbFrontEnd *fe, RbClocking *c, RbClockNode *n, int v, int result, RbPos at) {
    RbExprs *x = fe->x;
    start_like(fe, result, v);
    const RbExpr *p = ref(fe, result);
    at_tick(fe, c, n, result, rb_if(x, is_first(fe, c, n), rb_pre(x, p), rb_pre(x, ref(fe, v))),
            at);
}

const RbExpr *rb_clock_held(RbFrontEnd *fe, RbClocking *c, RbClockNode *n, RbClockOpKind kind,
                            int v) {
    uint64_t *known = rb_map_find(&c->held[kind], (uint64_t)v);
    if (known) return ref(fe, (int)*known);
    RbPos at = fe->flat->vars.data[v].at;
    int result = rb_clock_like(fe, kind == RB_CLOCK_HOLD ? "hold" : "previous", v, RB_DISCRETE, at);
    rb_map_set(&c->held[kind], fe->work, (uint64_t)v, (uint64_t)result);
    if (kind == RB_CLOCK_HOLD)
        hold(fe, c, n, v, result, at);
    else
        previous(fe, c, n, v, result, at);
    return ref(fe, result);
}

static void drop(RbFrontEnd *fe, int v) {
    RbFlatVar *var = &fe->flat->vars.data[v];
    bool truth = var->type == RB_BOOLEAN;
    var->variability = RB_CONSTANT;
    var->type = truth ? RB_BOOLEAN : RB_INTEGER;
    var->rank = 0;
    var->binding = truth ? rb_boolean(fe->x, false) : number(fe, 0);
}

static void give(RbFrontEnd *fe, int v, const RbExpr *value) {
    fe->flat->vars.data[v].binding = value;
}

// The time that passed since a tick: of a rational clock as a fraction.
static const RbExpr *elapsed(RbFrontEnd *fe, RbClocking *c, RbClockNode *n, const RbClockOp *op) {
    const RbClockDef *d = base_of(c, n);
    if (d->kind != RB_CLOCK_RATIONAL)
        return rb_sub(fe->x, rb_clock_time(fe, c, n), ref(fe, op->clock));
    RbRatio f = rb_ratio_mul(n->factor, rb_ratio(d->counter, d->resolution));
    const RbExpr *count = rb_mul(fe->x, ref(fe, op->argument), number(fe, f.n));
    return rb_div(fe->x, count, number(fe, f.d));
}

static void emit(RbFrontEnd *fe, RbClocking *c, const RbClockOp *op) {
    bool held = op->kind == RB_CLOCK_HOLD;
    RbClockNode *n = rb_clock_node(c, held ? op->argument : op->result);
    const RbExpr *result = ref(fe, op->result);
    if (result->type == RB_CLOCK) return;
    if (!c->used[op->result] || n->base == 0) {
        drop(fe, op->result);
        return;
    }
    fe->flat->vars.data[op->result].variability = RB_DISCRETE;
    switch (op->kind) {
        case RB_CLOCK_HOLD: hold(fe, c, n, op->argument, op->result, op->at); return;
        case RB_CLOCK_PREVIOUS: previous(fe, c, n, op->argument, op->result, op->at); return;
        case RB_CLOCK_INTERVAL: give(fe, op->result, rb_clock_interval(fe, c, n)); return;
        case RB_CLOCK_FIRST: give(fe, op->result, rb_clock_first(fe, c, n)); return;
        case RB_CLOCK_ELAPSED: give(fe, op->result, elapsed(fe, c, n, op)); return;
        default: break;
    }
    const RbExpr *u = ref(fe, op->argument);
    const RbExpr *value =
        op->kind == RB_CLOCK_SAMPLE
            ? rb_pre(fe->x, u)
            : rb_clock_held(fe, c, rb_clock_node(c, op->argument), RB_CLOCK_HOLD, op->argument);
    from_start(fe, c, n, op->result, u, value, op->at);
}

void rb_clock_operators(RbFrontEnd *fe, RbClocking *c) {
    for (int i = 0; i < c->ops.count; i++) emit(fe, c, &c->ops.data[i]);
}
