// SPDX-License-Identifier: MIT
// function df = der(f, x, y): the partial derivative of a function (Modelica specification, 12.7.2). Its body calls f, and
// the call is differentiated as calls are: by an annotation, or by the derivative of its algorithm.
#include <string.h>

#include "expr/diff.h"
#include "flatten/function.h"

typedef struct Direction {
    RbFrontEnd *fe;
    const RbExpr *input;
} Direction;

static const RbExpr *seed(void *user, const RbExpr *leaf) {
    const Direction *d = user;
    return leaf == d->input ? rb_real(d->fe->x, 1.0) : NULL;
}

static const RbExpr *find_input(RbFunctionBuilder *b, RbName name, RbPos at) {
    for (int i = 0; i < b->f->input_count; i++) {
        const RbFunctionVar *v = &b->f->vars.data[i];
        if (strcmp(v->name, name) == 0 && v->type == RB_REAL && v->rank == 0)
            return rb_local(b->fe->x, i, RB_REAL, 0);
    }
    rb_fail(b->fe->diag, RB_ERROR_MODEL, at,
            "'%s' is no input of the function that is a Real scalar; partial derivatives are taken "
            "with respect to those",
            name);
    return NULL;
}

static const RbExpr *partial_derivative(RbFunctionBuilder *b, const RbExpr *e,
                                        const RbAstClass *def) {
    RbFrontEnd *fe = b->fe;
    for (int k = 0; k < def->variable_count; k++) {
        Direction to = {fe, find_input(b, def->variables[k], def->at)};
        RbDiff diff = {.model = fe->flat, .seed = seed, .user = &to};
        if (!to.input) return NULL;
        e = rb_diff(fe->x, e, &diff, *fe->scratch);
        if (e) continue;
        rb_fail(fe->diag, RB_ERROR_MODEL, def->at,
                "the function '%s' cannot be differentiated with respect to '%s'; give it an "
                "annotation(derivative = ...)",
                b->f->name, def->variables[k]);
        return NULL;
    }
    return e;
}

// The components of the class are those of f; only inputs and outputs are declared so far.
bool rb_lower_partial_derivative(RbFunctionBuilder *b, RbClass *class, RbPos at) {
    RbFrontEnd *fe = b->fe;
    RbFunction *f = b->f;
    const RbAstClass *def = class->root->def;
    RbClass *base = rb_lookup_class(
        fe->classes, class->root->enclosing ? class->root->enclosing : fe->classes->top->root,
        &def->type, "function");
    int called = base && rb_class_ready(fe->classes, base) ? rb_lower_function(fe, base, at) : -1;
    if (called < 0) return false;
    const RbExpr **args = rb_new_array(fe->arena, const RbExpr *, f->input_count + 1);
    for (int i = 0; i < f->input_count; i++)
        args[i] = rb_local(fe->x, i, f->vars.data[i].type, f->vars.data[i].rank);
    const RbFunctionVar *first = &f->vars.data[f->input_count];
    const RbExpr *call =
        rb_call_function(fe->x, called, first->type, first->rank, args, f->input_count);
    for (int k = 0; k < f->output_count; k++) {
        const RbFunctionVar *out = &f->vars.data[f->input_count + k];
        if (out->type != RB_REAL) {
            rb_fail(fe->diag, RB_ERROR_MODEL, def->at,
                    "the output '%s' is not Real and has no partial derivative", out->name);
            return false;
        }
        const RbExpr *e =
            partial_derivative(b, rb_result(fe->x, call, k, out->type, out->rank), def);
        if (!e) return false;
        RbStatement *s = rb_statement(&f->statements, fe->arena, RB_ST_ASSIGN, def->at);
        s->target = rb_local(fe->x, f->input_count + k, out->type, out->rank);
        s->value = e;
    }
    return true;
}
