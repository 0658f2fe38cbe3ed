// SPDX-License-Identifier: MIT
#include "expr/flat_model.h"
#include "base/size.h"

RbFlatModel *rb_flat_model(RbArena *arena, const char *name) {
    RbFlatModel *model = rb_new(arena, RbFlatModel);
    model->arena = arena;
    model->name = rb_arena_text(arena, name);
    model->exprs = rb_exprs(arena);
    model->experiment = (RbExperiment){.stop_time = 1.0};
    return model;
}

int rb_flat_add(RbFlatModel *model, const RbFlatVar *var) {
    rb_array_push(&model->vars, model->arena, *var);
    return model->vars.count - 1;
}

int rb_flat_real(RbFlatModel *model, const char *name) {
    RbFlatVar var = {.name = rb_arena_text(model->arena, name), .variability = RB_CONTINUOUS};
    return rb_flat_add(model, &var);
}

const RbExpr *rb_flat_ref(RbFlatModel *model, int i) {
    const RbFlatVar *var = &model->vars.data[i];
    return rb_var(model->exprs, i, var->type, var->rank);
}

RbEquation *rb_equation(RbEquations *list, RbArena *arena, RbEquationKind kind, RbPos at) {
    RbEquation *eq = rb_new(arena, RbEquation);
    eq->kind = kind;
    eq->at = at;
    eq->origin = "";
    rb_array_push(list, arena, eq);
    return eq;
}

RbStatement *rb_statement(RbStatements *list, RbArena *arena, RbStatementKind kind, RbPos at) {
    RbStatement *st = rb_new(arena, RbStatement);
    st->kind = kind;
    st->at = at;
    rb_array_push(list, arena, st);
    return st;
}

RbEquation *rb_flat_equal(RbFlatModel *model, RbEquations *list, const RbExpr *left,
                          const RbExpr *right, RbPos at) {
    RbEquation *eq = rb_equation(list, model->arena, RB_EQ_EQUAL, at);
    eq->left = left;
    eq->right = right;
    return eq;
}

int rb_flat_size(const RbFlatVar *var) {
    return rb_size_product(var->rank, var->dims);
}

void rb_flat_element_name(const RbFlatVar *var, int k, RbText *out) {
    rb_text_add(out, var->name);
    if (var->rank == 0) return;
    int below = rb_flat_size(var);
    for (int i = 0; i < var->rank; i++) {
        below /= var->dims[i];
        rb_text_printf(out, "%c%d", i == 0 ? '[' : ',', k / below + 1);
        k %= below;
    }
    rb_text_add(out, "]");
}
