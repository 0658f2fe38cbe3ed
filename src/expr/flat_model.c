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

// --- functions -----------------------------------------------------------------------------------

typedef struct Order {
    const RbFunction *f;
    RbExprs *x;
    RbArena scratch;
    unsigned char *mark; // 1: begun, 2: done
    int *list;
    int count;
} Order;

static void add_declaration(Order *o, int var);

static void add_uses(Order *o, const RbExpr *e) {
    if (!e || e->arg_count + (e->op == RB_OP_LOCAL) == 0) return;
    RbArena mark = o->scratch; // declarations that are added meanwhile go behind the nodes
    RbExprOrder nodes = rb_expr_order(o->x, &e, 1, &o->scratch);
    for (int i = 0; i < nodes.count; i++) {
        const RbExpr *n = nodes.nodes[i];
        if (n->op == RB_OP_LOCAL && n->index < o->f->vars.count) add_declaration(o, n->index);
    }
    o->scratch = mark;
}

static void add_declaration(Order *o, int var) {
    if (var < o->f->input_count || o->mark[var]) return;
    const RbFunctionVar *v = &o->f->vars.data[var];
    o->mark[var] = 1;
    add_uses(o, v->binding);
    for (int d = 0; d < v->rank && !v->binding; d++) add_uses(o, v->dims[d]);
    o->list[o->count++] = var;
}

void rb_function_sort(RbFunction *f, RbExprs *x, RbArena *arena, RbArena scratch) {
    int count = f->vars.count - f->input_count;
    f->order = NULL;
    if (count < 2) return;
    Order o = {.f = f, .x = x, .list = rb_new_array(&scratch, int, count)};
    o.mark = rb_new_array(&scratch, unsigned char, f->vars.count);
    o.scratch = scratch;
    for (int v = f->input_count; v < f->vars.count; v++) add_declaration(&o, v);
    bool same = true;
    for (int k = 0; k < count; k++) same &= o.list[k] == f->input_count + k;
    if (same) return;
    int *order = rb_new_array(arena, int, count);
    for (int k = 0; k < count; k++) order[k] = o.list[k];
    f->order = order;
}
