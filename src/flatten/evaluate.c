// SPDX-License-Identifier: MIT
// Values at translation: constants, sizes, and what parameters decide.
#include <math.h>

#include "flatten/frontend.h"

void rb_note_size_use(RbFrontEnd *fe, int var, const char *why) {
    RbFlatVar *v = &fe->flat->vars.data[var];
    if (v->size_use) return;
    v->size_use = why;
    v->size_use_at = fe->use_at;
}

typedef struct Lookup {
    RbFrontEnd *fe;
    RbUse use;
} Lookup;

// size(A, k) of a variable needs no value of it.
static bool lookup_size(const Lookup *l, const RbExpr *e, RbExprValue *value) {
    RbFrontEnd *fe = l->fe;
    RbFlatVar *v = &fe->flat->vars.data[e->args[0]->index];
    double k;
    if (!rb_constant_value(e->args[1], &k) || !(k >= 1 && k <= v->rank)) return false;
    *value = rb_value_number(fe->arena, RB_INTEGER, v->dims[(int)k - 1]);
    if (l->use == RB_USE_STRUCTURE)
        rb_note_size_use(fe, e->args[0]->index, "its size decides the structure");
    return true;
}

static bool lookup_parameter(void *user, RbEnv *env, const RbExpr *leaf, RbExprValue *value) {
    (void)env;
    const Lookup *l = user;
    RbFrontEnd *fe = l->fe;
    if (leaf->op == RB_OP_BUILTIN && leaf->index == RB_FN_SIZE) return lookup_size(l, leaf, value);
    if (leaf->op != RB_OP_VAR) return false;
    if (!rb_inst_value(fe, fe->by_var.data[leaf->index], l->use, value)) return false;
    if (l->use == RB_USE_STRUCTURE) {
        fe->flat->vars.data[leaf->index].is_structural = true;
        rb_note_size_use(fe, leaf->index, "its value decides the structure of the equations");
    }
    return true;
}

// The parameter without a value that keeps an expression from having one, for the message.
static const char *missing_value(RbFrontEnd *fe, const RbExpr *e) {
    RbIndices vars = rb_expr_vars(fe->x, e, fe->arena);
    for (int i = 0; i < vars.count; i++) {
        RbInst *inst = fe->by_var.data[vars.data[i]];
        RbExprValue value;
        if (inst->variability < RB_AST_PARAMETER) {
            return rb_arena_printf(fe->arena, "'%s' is a variable, not a parameter", inst->path);
        }
        if (!rb_inst_value(fe, inst, RB_USE_SIZE, &value)) {
            return rb_arena_printf(fe->arena, "the parameter '%s' has no value", inst->path);
        }
    }
    return NULL;
}

// A property of water may take a million steps and gigabytes; such a call is cheaper in the run,
// where it is compiled.
const RbExpr *rb_val_constant(RbFrontEnd *fe, const RbVal *v) {
    enum { STEPS_MAX = 20000 };
    if (v->kind != RB_VAL_EXPR) return NULL;
    RbArena *temporary = rb_arena_child(fe->arena);
    Lookup lookup = {fe, RB_USE_STRUCTURE};
    RbEnv env = {.model = fe->flat,
                 .arena = temporary,
                 .lookup = lookup_parameter,
                 .user = &lookup,
                 .steps_max = STEPS_MAX};
    RbExprValue value;
    bool known = rb_eval(&env, v->e, &value);
    RbArena *scratch = rb_arena_child(temporary);
    const RbExpr *e = known ? rb_value_expr(fe->x, &value, *scratch) : NULL;
    rb_arena_free(temporary);
    return e;
}

// What a function needs on the way is given back; only the value stays.
static bool evaluate(RbFrontEnd *fe, const RbExpr *e, RbUse use, RbExprValue *value,
                     const char **error) {
    bool plain = e->arg_count == 0;
    RbArena *temporary = plain ? fe->arena : rb_arena_child(fe->arena);
    Lookup lookup = {fe, use};
    RbEnv env = {
        .model = fe->flat, .arena = temporary, .lookup = lookup_parameter, .user = &lookup};
    bool known = rb_eval(&env, e, value);
    if (env.error) *error = rb_arena_text(fe->arena, env.error);
    if (plain) return known;
    if (known) {
        RbExprValue kept = rb_value_array(fe->arena, value->type, value->rank, value->dims);
        for (int i = 0; i < kept.count; i++) {
            if (kept.text)
                kept.text[i] = rb_arena_text(fe->arena, value->text[i]);
            else
                kept.data[i] = value->data[i];
        }
        *value = kept;
    }
    rb_arena_free(temporary);
    return known;
}

bool rb_val_evaluate_for(RbFrontEnd *fe, const RbVal *v, RbUse use, RbExprValue *value, RbPos at,
                         const char *what) {
    if (v->kind == RB_VAL_ERROR) return false;
    int errors = fe->diag->error_count;
    const char *error = NULL;
    if (at.file) fe->use_at = at;
    if (v->kind == RB_VAL_EXPR && evaluate(fe, v->e, use, value, &error)) return true;
    if (!what || fe->diag->error_count > errors) return false;
    const char *why = error ? error : v->kind == RB_VAL_EXPR ? missing_value(fe, v->e) : NULL;
    rb_fail(fe->diag, RB_ERROR_MODEL, at, "%s must be known before the simulation starts%s%s", what,
            why ? ": " : "", why ? why : "");
    return false;
}

bool rb_val_evaluate(RbFrontEnd *fe, const RbVal *v, RbExprValue *value, RbPos at,
                     const char *what) {
    return rb_val_evaluate_for(fe, v, RB_USE_STRUCTURE, value, at, what);
}

static bool evaluate_integer(RbFrontEnd *fe, const RbVal *v, RbUse use, int64_t *value, RbPos at,
                             const char *what) {
    if (v->kind == RB_VAL_EXPR && v->rank == 0 && v->e->op == RB_OP_INTEGER) {
        *value = v->e->integer;
        return true;
    }
    if (v->kind == RB_VAL_ERROR) return false;
    if (v->kind != RB_VAL_EXPR || v->rank > 0 ||
        (v->type != RB_INTEGER && v->type != RB_ENUM && v->type != RB_BOOLEAN)) {
        if (what) {
            rb_fail(fe->diag, RB_ERROR_MODEL, at, "%s must be Integer, but this is %s", what,
                    rb_val_type_name(fe, v));
        }
        return false;
    }
    RbExprValue number;
    if (!rb_val_evaluate_for(fe, v, use, &number, at, what)) return false;
    const double largest = 9007199254740992; // 2^53: whole numbers are exact up to here
    if (fabs(number.data[0]) <= largest) {
        *value = (int64_t)number.data[0];
        return true;
    }
    if (what)
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "%s is %g; it must be a whole number", what,
                number.data[0]);
    return false;
}

bool rb_val_evaluate_integer(RbFrontEnd *fe, const RbVal *v, int64_t *value, RbPos at,
                             const char *what) {
    return evaluate_integer(fe, v, RB_USE_STRUCTURE, value, at, what);
}

bool rb_val_evaluate_size(RbFrontEnd *fe, const RbVal *v, int64_t *value, RbPos at,
                          const char *what) {
    return evaluate_integer(fe, v, RB_USE_SIZE, value, at, what);
}
