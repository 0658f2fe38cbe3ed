// SPDX-License-Identifier: MIT
// diff_function.c: the derivative of a function written as an algorithm, as another algorithm: each
// assignment is preceded by the assignment of its derivative (forward differentiation;
// docs/theory/dae.md, section 3).
//
//   function f(u) -> y               function df(u, du) -> dy
//     y := sin(u);                     dy := cos(u)*du;  y := sin(u);
#include "expr/diff.h"
#include "expr/simplify.h"

typedef struct Derive {
    RbFlatModel *model;
    RbExprs *x;
    const RbFunction *f;
    RbFunction *df;
    int *new_place; // variable of f -> variable of df
    int *d_place;   // its derivative, or -1
    RbArena *scratch;
    bool failed;
} Derive;

static const RbExpr *moved_node(void *user, const RbExpr *e) {
    const Derive *d = user;
    if (e->op != RB_OP_LOCAL || e->index < 0 || e->index >= d->f->vars.count) return NULL;
    return rb_local(d->x, d->new_place[e->index], (RbType)e->type, e->rank);
}

static const RbExpr *moved(Derive *d, const RbExpr *e) {
    return e ? rb_substitute_leaves(d->x, e, moved_node, d, *d->scratch) : NULL;
}

// Works on moved expressions: the derivative of a variable that has one.
static const RbExpr *seed(void *user, const RbExpr *leaf) {
    const Derive *d = user;
    if (leaf->op != RB_OP_LOCAL) return NULL;
    for (int i = 0; i < d->f->vars.count; i++) {
        if (d->new_place[i] == leaf->index && d->d_place[i] >= 0)
            return rb_local(d->x, d->d_place[i], RB_REAL, leaf->rank);
    }
    return NULL;
}

static const RbExpr *derivative(Derive *d, const RbExpr *e) {
    RbDiff diff = {.model = d->model, .seed = seed, .user = d};
    const RbExpr *result = rb_diff(d->x, e, &diff, *d->scratch);
    if (!result) d->failed = true;
    return result;
}

static const RbExpr *d_target(Derive *d, const RbExpr *target) {
    const RbExpr *whole = target->op == RB_OP_SUBSCRIPT ? target->args[0] : target;
    const RbExpr *dw = seed(d, whole);
    if (!dw || target == whole) return dw;
    return rb_subscript(d->x, dw, target->args + 1, target->arg_count - 1);
}

static void assign(Derive *d, RbStatements *list, const RbExpr *target, const RbExpr *value,
                   RbPos at) {
    RbStatement *s = rb_statement(list, d->model->arena, RB_ST_ASSIGN, at);
    s->target = target;
    s->value = value;
}

static void convert(Derive *d, const RbStatements *from, RbStatements *to);

static void convert_call(Derive *d, const RbStatement *s, RbStatements *to) {
    RbStatement *copy = rb_statement(to, d->model->arena, RB_ST_CALL, s->at);
    copy->value = moved(d, s->value);
    const RbFunction *called =
        copy->value->op == RB_OP_CALL ? d->model->functions.data[copy->value->index] : NULL;
    int mark = to->count - 1;
    for (int k = 0; k < s->targets.count; k++) {
        const RbExpr *target = moved(d, s->targets.data[k]),
                     *dt = target ? d_target(d, target) : NULL;
        rb_array_push(&copy->targets, d->model->arena, target);
        if (!dt || !called) continue;
        const RbFunctionVar *out = &called->vars.data[called->input_count + k];
        assign(d, to, dt, derivative(d, rb_result(d->x, copy->value, k, out->type, out->rank)),
               s->at);
    }
    for (int i = mark; i + 1 < to->count; i++)
        to->data[i] = to->data[i + 1]; // derivatives first: they see the old values
    to->data[to->count - 1] = copy;
}

static void convert_one(Derive *d, const RbStatement *s, RbStatements *to) {
    if (s->kind == RB_ST_CALL) {
        convert_call(d, s, to);
        return;
    }
    const RbExpr *target = moved(d, s->target), *value = moved(d, s->value);
    if (s->kind == RB_ST_ASSIGN && d_target(d, target))
        assign(d, to, d_target(d, target), derivative(d, value), s->at);
    RbStatement *copy = rb_statement(to, d->model->arena, s->kind, s->at);
    copy->target = target;
    copy->value = value;
    copy->is_warning = s->is_warning;
    for (int b = 0; b < s->branches.count; b++) {
        RbStatementBranch branch = {.condition = moved(d, s->branches.data[b].condition)};
        convert(d, &s->branches.data[b].statements, &branch.statements);
        rb_array_push(&copy->branches, d->model->arena, branch);
    }
}

static void convert(Derive *d, const RbStatements *from, RbStatements *to) {
    for (int i = 0; i < from->count && !d->failed; i++) convert_one(d, from->data[i], to);
}

static void add_var(Derive *d, RbFunctionVar v) {
    rb_array_push(&d->df->vars, d->model->arena, v);
}

static RbFunctionVar derivative_var(Derive *d, const RbFunctionVar *v) {
    RbFunctionVar dv = *v;
    dv.name = rb_arena_printf(d->model->arena, "der(%s)", v->name);
    dv.binding = NULL;
    return dv;
}

// Inputs, derivatives of Real inputs; derivatives of Real outputs (others as they are); Real
// outputs and all locals; their derivatives.
static void place_vars(Derive *d) {
    const RbFunction *f = d->f;
    int inputs = f->input_count, outputs = inputs + f->output_count, n = f->vars.count;
    for (int i = 0; i < n; i++) d->d_place[i] = -1;
    for (int i = 0; i < inputs; i++) {
        d->new_place[i] = d->df->vars.count;
        add_var(d, f->vars.data[i]);
    }
    for (int i = 0; i < inputs; i++) {
        if (f->vars.data[i].type != RB_REAL) continue;
        d->d_place[i] = d->df->vars.count;
        add_var(d, derivative_var(d, &f->vars.data[i]));
    }
    d->df->input_count = d->df->vars.count;
    for (int i = inputs; i < outputs; i++) {
        bool real = f->vars.data[i].type == RB_REAL;
        *(real ? &d->d_place[i] : &d->new_place[i]) = d->df->vars.count;
        add_var(d, real ? derivative_var(d, &f->vars.data[i]) : f->vars.data[i]);
    }
    d->df->output_count = f->output_count;
    for (int i = inputs; i < n; i++) {
        bool real = f->vars.data[i].type == RB_REAL;
        if (i < outputs && !real) continue;
        d->new_place[i] = d->df->vars.count;
        add_var(d, f->vars.data[i]);
        if (i < outputs || !real) continue;
        d->d_place[i] = d->df->vars.count;
        add_var(d, derivative_var(d, &f->vars.data[i]));
    }
}

// Sizes and start values refer to the new places. A start value that depends on inputs gets its
// derivative as a first statement.
static void move_declarations(Derive *d) {
    for (int i = 0; i < d->df->vars.count; i++) {
        RbFunctionVar *v = &d->df->vars.data[i];
        for (int k = 0; k < v->rank; k++) v->dims[k] = moved(d, v->dims[k]);
        v->binding = moved(d, v->binding);
    }
    for (int k = d->f->input_count; k < d->f->vars.count && !d->failed; k++) {
        int i = rb_function_declared(d->f, k);
        const RbFunctionVar *v = &d->f->vars.data[i];
        if (!v->binding || d->d_place[i] < 0) continue;
        const RbExpr *dv = rb_local(d->x, d->d_place[i], RB_REAL, v->rank);
        assign(d, &d->df->statements, dv, derivative(d, moved(d, v->binding)), d->f->at);
    }
}

int rb_derive_function(RbFlatModel *model, int function, RbArena *scratch) {
    RbFunction *f = model->functions.data[function];
    if (f->kind != RB_FUNCTION_ALGORITHM || f->not_differentiable) return -1;
    Derive d = {.model = model, .x = model->exprs, .f = f, .scratch = scratch};
    d.df = rb_new(model->arena, RbFunction);
    d.df->name = rb_arena_printf(model->arena, "der(%s)", f->name);
    d.df->at = f->at;
    d.df->is_inline = f->is_inline;
    d.new_place = rb_new_array(scratch, int, f->vars.count + 1);
    d.d_place = rb_new_array(scratch, int, f->vars.count + 1);
    rb_array_push(&model->functions, model->arena, d.df);
    int index = model->functions.count - 1;
    // known before it is complete, so that a recursive function can use its own derivative
    const unsigned char *inputs = rb_new_array(model->arena, unsigned char, f->input_count + 1);
    rb_array_push(&f->derivatives, model->arena,
                  (RbFunctionDerivative){index, .order = 1, .made = true, .inputs = inputs});
    place_vars(&d);
    move_declarations(&d);
    convert(&d, &f->statements, &d.df->statements);
    rb_function_sort(d.df, model->exprs, model->arena, *scratch);
    if (!d.failed) return index;
    f->derivatives.count--;
    f->not_differentiable = true;
    return -1;
}
