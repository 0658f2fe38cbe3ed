// SPDX-License-Identifier: MIT
// Clock(...), sample(u, c), hold, previous, subSample, ...: each gets a variable and is noted.
#include <string.h>

#include "flatten/builtin.h"
#include "flatten/clock.h"

static RbClocking *clocking(RbFrontEnd *fe) {
    if (!fe->clocks) fe->clocks = rb_new(fe->work, RbClocking);
    return fe->clocks;
}

int rb_clock_var(RbFrontEnd *fe, const char *name, const RbVal *like, RbVariability variability,
                 RbPos at) {
    int index = fe->flat->vars.count;
    RbFlatVar var = {.name = rb_intern(fe->names, rb_arena_printf(fe->arena, "$%s%d", name, index)),
                     .variability = variability,
                     .type = like->type,
                     .rank = like->rank,
                     .is_protected = true,
                     .hide_result = true,
                     .attributes = {.state_select = RB_STATE_DEFAULT},
                     .at = at};
    memcpy(var.dims, like->dims, sizeof var.dims);
    if (like->type == RB_ENUM && like->class)
        var.enumeration = rb_flat_enumeration(fe, like->class);
    rb_array_push(&fe->flat->vars, fe->work, var);
    RbInst *inst = rb_new(fe->work, RbInst);
    *inst = (RbInst){.kind = RB_INST_LEAF,
                     .class = like->type == RB_CLOCK ? fe->classes->clock : fe->classes->real,
                     .path = var.name,
                     .var = index,
                     .parent = fe->root};
    rb_array_push(&fe->by_var, fe->work, inst);
    return index;
}

int rb_clock_scalar(RbFrontEnd *fe, const char *name, RbType type, RbPos at) {
    return rb_clock_var(fe, name, &(RbVal){.type = type}, RB_DISCRETE, at);
}

int rb_clock_like(RbFrontEnd *fe, const char *name, int v, RbVariability variability, RbPos at) {
    RbFlatVar old = fe->flat->vars.data[v];
    RbVal like = {.type = old.type, .rank = old.rank};
    memcpy(like.dims, old.dims, sizeof like.dims);
    int index = rb_clock_var(fe, name, &like, variability, at);
    fe->flat->vars.data[index].enumeration = old.enumeration;
    fe->flat->vars.data[index].attributes.unit = old.attributes.unit;
    return index;
}

static bool allowed(const RbBuiltinCall *c) {
    if (!c->ctx->frame) return true;
    rb_fail(c->fe->diag, RB_ERROR_MODEL, c->e->at, "%s(...) cannot be used in a function", c->name);
    return false;
}

static RbVal value_of(RbFrontEnd *fe, const RbVal *like, int var) {
    RbVal v = *like;
    v.e = rb_flat_ref(fe->flat, var);
    v.variability = RB_AST_DISCRETE;
    v.inst = NULL;
    return v;
}

// --- constructors --------------------------------------------------------------------------------

static bool is_known(const RbVal *v) {
    return v->variability >= RB_AST_PARAMETER;
}

static bool positive(const RbBuiltinCall *c, int i, const RbVal *v, const char *what, int64_t least,
                     int64_t *out) {
    if (!rb_val_evaluate_integer(c->fe, v, out, c->args[i]->at, what)) return false;
    if (*out >= least) return true;
    rb_fail(c->fe->diag, RB_ERROR_MODEL, c->args[i]->at, "%s is %lld; it must be at least %lld",
            what, (long long)*out, (long long)least);
    return false;
}

static bool counter_clock(const RbBuiltinCall *c, const RbVal *v, RbClockDef *def) {
    def->resolution = 1;
    RbVal resolution;
    if (c->count > 1 &&
        (!rb_builtin_typed(c, 1, 'i', &resolution) ||
         !positive(c, 1, &resolution, "the resolution of a clock", 1, &def->resolution)))
        return false;
    def->kind = is_known(v) ? RB_CLOCK_RATIONAL : RB_CLOCK_VARYING;
    return def->kind == RB_CLOCK_VARYING ||
           positive(c, 0, v, "the interval of a clock", 1, &def->counter);
}

static bool event_clock(const RbBuiltinCall *c, RbClockDef *def) {
    RbVal start;
    def->kind = RB_CLOCK_EVENT;
    def->start = rb_real(c->fe->x, 0.0);
    if (c->count < 2) return true;
    if (!rb_builtin_typed(c, 1, 'r', &start)) return false;
    def->start = start.e;
    return true;
}

static bool define(const RbBuiltinCall *c, const RbVal *v, RbClockDef *def) {
    def->value = v->e;
    if (v->type == RB_INTEGER) return counter_clock(c, v, def);
    if (v->type == RB_BOOLEAN) return event_clock(c, def);
    def->kind = is_known(v) ? RB_CLOCK_REAL : RB_CLOCK_VARYING;
    def->resolution = 1;
    return v->type == RB_REAL && v->rank == 0 ? rb_builtin_count(c, 1, 1)
                                              : rb_builtin_check(c, 0, 'r', v);
}

// A variable that is the argument.
static int argument_var(const RbBuiltinCall *c, const RbVal *v) {
    RbFrontEnd *fe = c->fe;
    if (v->e->op == RB_OP_VAR && !is_known(v)) return v->e->index;
    int var = rb_clock_var(fe, "of", v, v->type == RB_REAL ? RB_CONTINUOUS : RB_DISCRETE, c->e->at);
    fe->flat->vars.data[var].binding = v->e;
    return var;
}

// Clock(c, solverMethod)
static bool solver_clock(const RbBuiltinCall *c, const RbVal *v, int result) {
    RbVal method;
    RbExprValue value;
    if (!rb_builtin_typed(c, 1, 's', &method) ||
        !rb_val_evaluate(c->fe, &method, &value, c->args[1]->at, "the solver method of a clock"))
        return false;
    RbClockOp op = {.kind = RB_CLOCK_SOLVER,
                    .argument = argument_var(c, v),
                    .result = result,
                    .clock = -1,
                    .method = value.text[0],
                    .at = c->e->at};
    rb_array_push(&clocking(c->fe)->ops, c->fe->work, op);
    return true;
}

RbVal rb_builtin_clock(const RbBuiltinCall *c) {
    RbFrontEnd *fe = c->fe;
    RbVal like = {.kind = RB_VAL_EXPR, .type = RB_CLOCK, .class = fe->classes->clock}, v = {0};
    if (!allowed(c) || !rb_builtin_count(c, 0, 2)) return rb_val_error();
    RbClockDef def = {.kind = RB_CLOCK_INFERRED, .at = c->e->at};
    if (c->count > 0 && !rb_builtin_typed(c, 0, 'x', &v)) return rb_val_error();
    def.var = rb_clock_var(fe, "clock", &like, RB_DISCRETE, c->e->at);
    bool solver = c->count > 0 && v.type == RB_CLOCK;
    if (solver ? !solver_clock(c, &v, def.var) : c->count > 0 && !define(c, &v, &def))
        return rb_val_error();
    if (!solver) rb_array_push(&clocking(fe)->defs, fe->work, def);
    return value_of(fe, &like, def.var);
}

// --- operators -----------------------------------------------------------------------------------

static RbVal note(const RbBuiltinCall *c, const RbVal *v, RbClockOp op) {
    RbFrontEnd *fe = c->fe;
    op.result = rb_clock_var(fe, c->name, v, RB_DISCRETE, c->e->at);
    op.at = c->e->at;
    rb_array_push(&clocking(fe)->ops, fe->work, op);
    return value_of(fe, v, op.result);
}

static RbVal clocked_sample(const RbBuiltinCall *c, const RbVal *v, int clock) {
    return note(
        c, v, (RbClockOp){.kind = RB_CLOCK_SAMPLE, .argument = argument_var(c, v), .clock = clock});
}

RbVal rb_builtin_sample(const RbBuiltinCall *c) {
    RbVal a, b;
    if (!rb_builtin_count(c, 1, 2) || !rb_builtin_typed(c, 0, 'x', &a)) return rb_val_error();
    if (c->count == 1) return allowed(c) ? clocked_sample(c, &a, -1) : rb_val_error();
    if (!rb_builtin_typed(c, 1, 'x', &b)) return rb_val_error();
    if (b.type == RB_CLOCK)
        return allowed(c) ? clocked_sample(c, &a, argument_var(c, &b)) : rb_val_error();
    if (!rb_builtin_check(c, 0, 'r', &a) || !rb_builtin_check(c, 1, 'r', &b)) return rb_val_error();
    if (rb_weaker(a.variability, b.variability) < RB_AST_PARAMETER && !c->ctx->frame)
        return rb_builtin_fail(c, c->e->at,
                               "the start and the interval of sample(...) must be parameter "
                               "expressions");
    return rb_val_scalar(rb_builtin2(c->fe->x, RB_FN_SAMPLE, a.e, b.e), RB_AST_DISCRETE);
}

static bool conversion(const RbBuiltinCall *c, RbClockOp *op) {
    bool shifts = op->kind == RB_CLOCK_SHIFT || op->kind == RB_CLOCK_BACK;
    RbVal v;
    op->resolution = 1;
    if (!rb_builtin_count(c, shifts ? 2 : 1, shifts ? 3 : 2)) return false;
    if (c->count > 1 && (!rb_builtin_typed(c, 1, 'i', &v) ||
                         !positive(c, 1, &v, "the factor or shift of a clock", 0, &op->count)))
        return false;
    return c->count < 3 || (rb_builtin_typed(c, 2, 'i', &v) &&
                            positive(c, 2, &v, "the resolution of a shift", 1, &op->resolution));
}

static RbClockOpKind kind_of(const char *name) {
    static const char *const names[] = {"sample",      "hold",        "previous",   "subSample",
                                        "superSample", "shiftSample", "backSample", "noClock",
                                        "interval",    "firstTick"};
    int k = 0;
    while (strcmp(names[k], name) != 0) k++;
    return (RbClockOpKind)k;
}

// interval(u), firstTick(u), or without u: of the equation around.
static RbVal lower_question(const RbBuiltinCall *c, RbClockOpKind kind) {
    RbVal v, like = {.kind = RB_VAL_EXPR, .type = kind == RB_CLOCK_FIRST ? RB_BOOLEAN : RB_REAL};
    RbClockOp op = {.kind = kind, .argument = -1, .clock = -1};
    if (!rb_builtin_count(c, 0, 1)) return rb_val_error();
    if (c->count == 1) {
        if (!rb_builtin_typed(c, 0, 'x', &v)) return rb_val_error();
        op.argument = argument_var(c, &v);
    }
    return note(c, &like, op);
}

static int held_result(RbFrontEnd *fe, RbClockOpKind kind, int var, RbPos at) {
    RbMap *held = &clocking(fe)->held[kind];
    uint64_t *known = rb_map_find(held, (uint64_t)var);
    if (known) return (int)*known;
    int result = kind == RB_CLOCK_FIRST
                     ? rb_clock_scalar(fe, "firstTick", RB_BOOLEAN, at)
                     : rb_clock_like(fe, kind == RB_CLOCK_HOLD ? "hold" : "previous", var, RB_DISCRETE, at);
    RbClockOp op = {.kind = kind, .argument = var, .result = result, .clock = -1, .at = at};
    rb_array_push(&clocking(fe)->ops, fe->work, op);
    rb_map_set(held, fe->work, (uint64_t)var, (uint64_t)result);
    return result;
}

const RbExpr *rb_clock_previous(RbFrontEnd *fe, int v, RbPos at) {
    return rb_flat_ref(fe->flat, held_result(fe, RB_CLOCK_PREVIOUS, v, at));
}

const RbExpr *rb_clock_hold(RbFrontEnd *fe, int v, RbPos at) {
    return rb_flat_ref(fe->flat, held_result(fe, RB_CLOCK_HOLD, v, at));
}

const RbExpr *rb_clock_first_of(RbFrontEnd *fe, int v, RbPos at) {
    return rb_flat_ref(fe->flat, held_result(fe, RB_CLOCK_FIRST, v, at));
}

void rb_clock_elapsed(RbFrontEnd *fe, int result, int ticks, int since, RbPos at) {
    RbClockOp op = {.kind = RB_CLOCK_ELAPSED, .argument = ticks, .result = result, .clock = since, .at = at};
    rb_array_push(&clocking(fe)->ops, fe->work, op);
}

void rb_clock_default(RbFrontEnd *fe, int v) {
    rb_array_push(&clocking(fe)->defaults, fe->work, v);
}

// previous and hold are about a variable, whose start value they need; of an element: about the array.
static RbVal lower_held(const RbBuiltinCall *c, RbClockOpKind kind, const RbVal *v) {
    RbFrontEnd *fe = c->fe;
    bool element = v->e->op == RB_OP_SUBSCRIPT && v->e->args[0]->op == RB_OP_VAR;
    if (kind == RB_CLOCK_PREVIOUS && !element && v->e->op != RB_OP_VAR)
        return rb_builtin_fail(
            c, c->args[0]->at,
            "previous(...) needs a variable; give the expression one: Real y = ...");
    int var = element ? v->e->args[0]->index : argument_var(c, v);
    RbVal out = value_of(fe, v, held_result(fe, kind, var, c->e->at));
    if (!element) return out;
    const RbExpr **args = rb_new_array(fe->work, const RbExpr *, v->e->arg_count);
    memcpy(args, v->e->args, (size_t)v->e->arg_count * sizeof *args);
    args[0] = out.e;
    out.e = rb_rebuild(fe->x, v->e, args);
    return out;
}

RbVal rb_builtin_clocked(const RbBuiltinCall *c) {
    RbClockOp op = {.kind = kind_of(c->name), .clock = -1};
    RbVal v;
    if (!allowed(c)) return rb_val_error();
    if (op.kind == RB_CLOCK_INTERVAL || op.kind == RB_CLOCK_FIRST)
        return lower_question(c, op.kind);
    bool one = op.kind == RB_CLOCK_HOLD || op.kind == RB_CLOCK_PREVIOUS || op.kind == RB_CLOCK_NONE;
    if (one && !rb_builtin_count(c, 1, 1)) return rb_val_error();
    if (!one && !conversion(c, &op)) return rb_val_error();
    if (!rb_builtin_typed(c, 0, 'x', &v)) return rb_val_error();
    if ((op.kind == RB_CLOCK_HOLD || op.kind == RB_CLOCK_PREVIOUS) && v.type != RB_CLOCK)
        return is_known(&v) ? v : lower_held(c, op.kind, &v);
    op.argument = argument_var(c, &v);
    return note(c, &v, op);
}
