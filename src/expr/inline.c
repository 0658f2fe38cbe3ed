// SPDX-License-Identifier: MIT
#include "expr/inline.h"

#include "expr/builtins.h"
#include "expr/simplify.h"

typedef struct Inliner {
    RbExprs *x;
    const RbFunction *f;
    const RbExpr **values; // of the variables of the function so far; NULL: none
    RbArena *scratch;
    bool failed; // a variable is used before it has a value
} Inliner;

static const RbExpr *replace_local(void *user, const RbExpr *e) {
    Inliner *in = user;
    if (e->op != RB_OP_LOCAL) return NULL;
    const RbExpr *value = e->index < in->f->vars.count ? in->values[e->index] : NULL;
    if (!value) in->failed = true;
    return value;
}

static const RbExpr *written_out(Inliner *in, const RbExpr *e) {
    return rb_substitute_leaves(in->x, e, replace_local, in, *in->scratch);
}

static bool assign(Inliner *in, const RbExpr *target, const RbExpr *value) {
    if (target->op != RB_OP_LOCAL || in->failed) return false;
    // An Integer that is assigned to a Real becomes one: 1/3 later on is not a matter of types.
    if (target->type == RB_REAL && value->type == RB_INTEGER)
        value = value->op == RB_OP_INTEGER ? rb_real(in->x, (double)value->integer)
                                           : rb_builtin1(in->x, RB_FN_TO_REAL, value);
    in->values[target->index] = value;
    return true;
}

static bool assign_results(Inliner *in, const RbStatement *s) {
    const RbExpr *call = written_out(in, s->value);
    for (int k = 0; k < s->targets.count; k++) {
        const RbExpr *t = s->targets.data[k];
        if (t && !assign(in, t, rb_result(in->x, call, k, (RbType)t->type, t->rank))) return false;
    }
    return true;
}

static bool carry_out(Inliner *in) {
    for (int i = 0; i < in->f->statements.count; i++) {
        const RbStatement *s = in->f->statements.data[i];
        bool good = s->kind == RB_ST_ASSIGN ? assign(in, s->target, written_out(in, s->value))
                    : s->kind == RB_ST_CALL ? assign_results(in, s)
                                            : false;
        if (!good) return false;
    }
    return true;
}

static bool start(Inliner *in, const RbExpr *const *args) {
    const RbFunction *f = in->f;
    for (int i = 0; i < f->vars.count; i++) {
        const RbFunctionVar *v = &f->vars.data[i];
        if (v->type == RB_EXTERNAL) return false;
        if (i < f->input_count)
            in->values[i] = args[i];
        else if (v->binding &&
                 !assign(in, rb_local(in->x, i, v->type, v->rank), written_out(in, v->binding)))
            return false;
    }
    return true;
}

static bool makes_events(const RbExpr *e) {
    if (e->op >= RB_OP_LT && e->op <= RB_OP_NE) return true;
    return rb_is_builtin(e, RB_TRAIT_EVENTS);
}

static bool any_makes_events(Inliner *in, const RbExpr *e) {
    RbArena scratch = *in->scratch;
    RbExprOrder order = rb_expr_order(in->x, &e, 1, &scratch);
    for (int k = 0; k < order.count; k++) {
        if (makes_events(order.nodes[k])) return true;
    }
    return false;
}

// In a function relations are plain comparisons.
static bool function_makes_events(Inliner *in) {
    const RbFunction *f = in->f;
    for (int i = 0; i < f->statements.count; i++) {
        if (any_makes_events(in, f->statements.data[i]->value)) return true;
    }
    for (int i = f->input_count; i < f->vars.count; i++) {
        if (f->vars.data[i].binding && any_makes_events(in, f->vars.data[i].binding)) return true;
    }
    return false;
}

bool rb_inline_function(RbExprs *x, const RbFunction *f, const RbExpr *const *args,
                        const RbExpr **results, RbArena scratch) {
    if (f->kind != RB_FUNCTION_ALGORITHM || f->is_impure) return false;
    Inliner in = {.x = x, .f = f, .scratch = &scratch};
    in.values = rb_new_array(&scratch, const RbExpr *, f->vars.count + 1);
    if (!start(&in, args) || !carry_out(&in) || in.failed) return false;
    for (int k = 0; k < f->output_count; k++) {
        if (!in.values[f->input_count + k]) return false;
    }
    bool quiet = function_makes_events(&in);
    for (int k = 0; k < f->output_count; k++) {
        const RbExpr *e = in.values[f->input_count + k];
        results[k] = quiet && !rb_is_constant(e) ? rb_builtin1(x, RB_FN_NO_EVENT, e) : e;
    }
    return true;
}
