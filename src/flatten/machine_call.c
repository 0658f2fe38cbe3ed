// SPDX-License-Identifier: MIT
// transition(...), initialState(...), activeState(...), ticksInState(), timeInState(): noted for later.
#include "flatten/machine.h"

#include <string.h>

#include "flatten/builtin.h"
#include "flatten/equations.h"

static RbMachines *machines(RbFrontEnd *fe) {
    if (!fe->machines) fe->machines = rb_new(fe->work, RbMachines);
    return fe->machines;
}

// --- states --------------------------------------------------------------------------------------

// Whether a state is active is among the results, unless the state has something of this name.
static int active_variable(RbFrontEnd *fe, RbInst *inst, RbPos at) {
    int v = rb_clock_scalar(fe, "active", RB_BOOLEAN, at);
    if (rb_class_elem(fe->classes, inst->class, rb_intern(fe->names, "active"))) return v;
    RbFlatVar *var = &fe->flat->vars.data[v];
    var->name = fe->by_var.data[v]->path =
        rb_intern(fe->names, rb_arena_printf(fe->arena, "%s.active", inst->path));
    var->is_protected = inst->is_protected;
    var->hide_result = false;
    var->description = "The state is active";
    return v;
}

int rb_state_of(RbFrontEnd *fe, RbInst *inst, RbPos at) {
    RbMachines *m = machines(fe);
    uint64_t *known = rb_map_find(&m->by_inst, rb_map_key(inst));
    if (known) return (int)*known;
    RbState s = {
        .inst = inst, .machine = -1, .parent = m->states.count, .is_final = true, .at = at};
    s.active = active_variable(fe, inst, at);
    rb_map_set(&m->by_inst, fe->work, rb_map_key(inst), (uint64_t)m->states.count);
    rb_array_push(&m->states, fe->work, s);
    return m->states.count - 1;
}

// The block that an argument names; NULL if it is none (reported).
static RbInst *block_of(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    RbVal v = rb_lower_component(fe, ctx, e);
    if (v.kind == RB_VAL_ERROR) return NULL;
    bool fits = v.kind == RB_VAL_INST && v.rank == 0 && v.inst &&
                v.inst->kind == RB_INST_COMPONENT &&
                (v.inst->class->restriction == RB_KIND_BLOCK ||
                 v.inst->class->restriction == RB_KIND_MODEL ||
                 v.inst->class->restriction == RB_KIND_CLASS);
    if (fits) return v.inst;
    rb_fail(fe->diag, RB_ERROR_MODEL, e->at,
            "a state must be a component that is a block, but '%s' is none", rb_expr_text(fe, e));
    return NULL;
}

// --- transition ----------------------------------------------------------------------------------

// ORDER names
enum { FROM, TO, CONDITION, IMMEDIATE, RESET, SYNCHRONIZE, PRIORITY, ARGUMENTS };

static bool place_argument(RbFrontEnd *fe, const RbAstExpr *a, int position,
                           const RbAstExpr **args) {
    static const char *const names[] = {"from",  "to",          "condition", "immediate",
                                        "reset", "synchronize", "priority"};
    if (a->kind == RB_AST_NAMED)
        for (position = 0; position < ARGUMENTS && strcmp(names[position], a->name) != 0;)
            position++;
    if (position >= ARGUMENTS) {
        rb_fail(fe->diag, RB_ERROR_MODEL, a->at,
                "transition has no argument %s%s%s; it has from, to, condition, immediate, reset, "
                "synchronize and priority",
                a->kind == RB_AST_NAMED ? "'" : "", a->kind == RB_AST_NAMED ? a->name : "number 8",
                a->kind == RB_AST_NAMED ? "'" : "");
        return false;
    }
    args[position] = a->kind == RB_AST_NAMED ? a->kids[0] : a;
    return true;
}

// The value of an option, which is known at translation.
static bool option(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, RbType type,
                   const char *name, int64_t *out) {
    if (!e) return true;
    RbVal v = rb_lower_expr(fe, ctx, e);
    RbExprValue value;
    if (v.kind == RB_VAL_ERROR) return false;
    if (v.kind != RB_VAL_EXPR || v.type != type || v.rank > 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "'%s' of a transition must be %s, but this is %s",
                name, type == RB_BOOLEAN ? "Boolean" : "Integer", rb_val_type_name(fe, &v));
        return false;
    }
    const char *what = rb_arena_printf(fe->work, "'%s' of a transition", name);
    if (!rb_val_evaluate(fe, &v, &value, e->at, what)) return false;
    *out = (int64_t)value.data[0];
    return true;
}

static bool options(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr **args, RbTransition *t) {
    int64_t immediate = 1, reset = 1, synchronize = 0;
    t->priority = 1;
    if (!option(fe, ctx, args[IMMEDIATE], RB_BOOLEAN, "immediate", &immediate) ||
        !option(fe, ctx, args[RESET], RB_BOOLEAN, "reset", &reset) ||
        !option(fe, ctx, args[SYNCHRONIZE], RB_BOOLEAN, "synchronize", &synchronize) ||
        !option(fe, ctx, args[PRIORITY], RB_INTEGER, "priority", &t->priority))
        return false;
    t->immediate = immediate != 0;
    t->reset = reset != 0;
    t->synchronize = synchronize != 0;
    if (t->priority >= 1) return true;
    rb_fail(fe->diag, RB_ERROR_MODEL, args[PRIORITY]->at,
            "the priority of a transition is %lld; it must be at least 1", (long long)t->priority);
    return false;
}

static bool condition_of(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, RbTransition *t) {
    RbMachines *m = machines(fe);
    m->from = t->from + 1;
    m->immediate = t->immediate;
    RbVal v = rb_lower_condition(fe, ctx, e, "transition", false);
    m->from = 0;
    t->condition = v.e;
    return v.kind != RB_VAL_ERROR;
}

static void lower_transition(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call) {
    const RbAstExpr *args[ARGUMENTS] = {NULL};
    for (int i = 1; i < call->kid_count; i++)
        if (!place_argument(fe, call->kids[i], i - 1, args)) return;
    if (!args[FROM] || !args[TO] || !args[CONDITION]) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at,
                "transition needs two states and a condition: transition(from, to, condition)");
        return;
    }
    RbInst *from = block_of(fe, ctx, args[FROM]), *to = block_of(fe, ctx, args[TO]);
    if (!from || !to) return;
    RbTransition t = {.around = ctx->inst, .at = call->at};
    t.from = rb_state_of(fe, from, args[FROM]->at);
    t.to = rb_state_of(fe, to, args[TO]->at);
    if (!options(fe, ctx, args, &t) || !condition_of(fe, ctx, args[CONDITION], &t)) return;
    RbMachines *m = machines(fe);
    m->states.data[t.from].is_named = m->states.data[t.to].is_named = true;
    m->states.data[t.from].is_final = false;
    rb_array_push(&m->transitions, fe->work, t);
}

static void lower_initial_state(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call) {
    if (call->kid_count != 2) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at, "initialState needs one argument, a state");
        return;
    }
    const RbAstExpr *e =
        call->kids[1]->kind == RB_AST_NAMED ? call->kids[1]->kids[0] : call->kids[1];
    RbInst *inst = block_of(fe, ctx, e);
    if (!inst) return;
    int number = rb_state_of(fe, inst, e->at);
    RbState *s = &machines(fe)->states.data[number];
    if (s->is_initial)
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at, "initialState names '%s' twice", inst->path);
    s->is_named = s->is_initial = true;
    s->at = call->at;
}

static bool is_call_of(const RbAstExpr *call, const char *name) {
    const RbAstExpr *ref = call->kids[0];
    return ref->kind == RB_AST_REF && ref->kid_count == 1 && strcmp(ref->parts[0].name, name) == 0;
}

bool rb_lower_machine(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call) {
    bool transition = is_call_of(call, "transition");
    if (!transition && !is_call_of(call, "initialState")) return false;
    if (ctx->frame || ctx->in_part || ctx->in_initial || ctx->in_algorithm)
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at,
                "%s(...) is an equation that always holds; it cannot stand in an algorithm, a "
                "when-clause, an initial section, "
                "or an if-equation whose condition is not known at translation",
                transition ? "transition" : "initialState");
    else if (transition)
        lower_transition(fe, ctx, call);
    else
        lower_initial_state(fe, ctx, call);
    return true;
}

// --- questions -----------------------------------------------------------------------------------

RbVal rb_builtin_state(const RbBuiltinCall *c) {
    RbFrontEnd *fe = c->fe;
    RbAskedKind kind = (RbAskedKind)c->function;
    static const RbType types[] = {RB_BOOLEAN, RB_INTEGER, RB_REAL};
    if (c->ctx->frame) {
        rb_fail(fe->diag, RB_ERROR_MODEL, c->e->at, "%s(...) cannot be used in a function",
                c->name);
        return rb_val_error();
    }
    if (!rb_builtin_count(c, kind == RB_ASKED_ACTIVE, kind == RB_ASKED_ACTIVE))
        return rb_val_error();
    RbMachines *m = machines(fe);
    RbAsked a = {.kind = kind,
                 .where = c->ctx->inst,
                 .from = m->from - 1,
                 .immediate = m->immediate,
                 .at = c->e->at};
    if (kind == RB_ASKED_ACTIVE) {
        a.where = block_of(fe, c->ctx, c->args[0]);
        if (!a.where) return rb_val_error();
        int s = rb_state_of(fe, a.where, c->e->at);
        a.result = m->states.data[s].active;
    } else {
        a.result = rb_clock_scalar(fe, c->name, types[kind], c->e->at);
    }
    rb_array_push(&m->asked, fe->work, a);
    return rb_val_scalar(rb_flat_ref(fe->flat, a.result), RB_AST_DISCRETE);
}
