// SPDX-License-Identifier: MIT
// a = b: of numbers, arrays, records; and what a when-clause makes of it.
#include "flatten/equations.h"

// The variable that an expression is, or an element of; -1 if it is something else.
int rb_variable_of(const RbExpr *e) {
    if (e->op == RB_OP_SUBSCRIPT) e = e->args[0];
    return e->op == RB_OP_VAR ? e->index : -1;
}

static int size_of(const RbVal *v) {
    return rb_size_product(v->rank, v->dims);
}

static void push_equal(RbFrontEnd *fe, const RbPlace *ctx, const RbVal *a, const RbVal *b,
                       RbPos at) {
    RbEquation *eq = rb_new_equation(fe, ctx, RB_EQ_EQUAL, at);
    eq->left = a->e;
    eq->right = b->e;
}

// In a when-clause the variable on the left (or the only one on the right) is assigned and thereby
// discrete.
static void equal_in_when(RbFrontEnd *fe, const RbPlace *ctx, RbVal a, RbVal b, RbPos at) {
    if (rb_variable_of(a.e) < 0 && a.e->op == RB_OP_ARRAY && a.rank > 0) {
        for (int i = 1; i <= a.dims[0]; i++) {
            equal_in_when(fe, ctx, rb_val_element(fe, &a, &i, 1), rb_val_element(fe, &b, &i, 1),
                          at);
        }
        return;
    }
    if (rb_variable_of(a.e) < 0 && rb_variable_of(b.e) >= 0) {
        RbVal swap = a;
        a = b;
        b = swap;
    }
    int var = rb_variable_of(a.e);
    if (var < 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "an equation in a when-clause must have a variable on its left side");
        return;
    }
    if (fe->by_var.data[var]->variability >= RB_AST_PARAMETER) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "'%s' is a %s and cannot be changed in a when-clause",
                fe->flat->vars.data[var].name,
                fe->by_var.data[var]->variability == RB_AST_PARAMETER ? "parameter" : "constant");
        return;
    }
    fe->flat->vars.data[var].variability = RB_DISCRETE;
    push_equal(fe, ctx, &a, &b, at);
}

static void equal_records(RbFrontEnd *fe, const RbPlace *ctx, RbVal a, RbVal b, RbPos at) {
    b = rb_val_convert(fe, b, &a, at, "the right side");
    if (b.kind == RB_VAL_ERROR) return;
    for (int i = 0; i < a.field_count; i++) {
        if (a.fields[i].variability < RB_AST_PARAMETER ||
            b.fields[i].variability < RB_AST_PARAMETER)
            rb_equal(fe, ctx, a.fields[i], b.fields[i], at);
    }
}

static bool types_fit(const RbVal *a, const RbVal *b) {
    if (a->kind != RB_VAL_EXPR || b->kind != RB_VAL_EXPR) return false;
    if (a->type == RB_INTEGER && b->type == RB_REAL) return rb_variable_of(a->e) < 0;
    if (a->type == RB_REAL && b->type == RB_INTEGER) return true;
    if (a->type != b->type) return false;
    return a->type != RB_ENUM || !a->class || !b->class ||
           a->class->enumeration == b->class->enumeration;
}

static bool same_size(const RbVal *a, const RbVal *b) {
    bool same = a->rank == b->rank;
    for (int i = 0; same && i < a->rank; i++) same = a->dims[i] == b->dims[i];
    return same;
}

void rb_equal(RbFrontEnd *fe, const RbPlace *ctx, RbVal a, RbVal b, RbPos at) {
    a = rb_val_single(a);
    b = rb_val_single(b);
    if (a.kind == RB_VAL_ERROR || b.kind == RB_VAL_ERROR) return;
    if (a.kind == RB_VAL_ABSENT || b.kind == RB_VAL_ABSENT) {
        const RbInst *absent = a.kind == RB_VAL_ABSENT ? a.inst : b.inst;
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "'%s' does not exist because %s", absent->path,
                rb_inst_absence(absent));
    } else if (a.kind == RB_VAL_RECORD && b.kind == RB_VAL_RECORD) {
        equal_records(fe, ctx, a, b, at);
    } else if (!types_fit(&a, &b)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "the sides of this equation do not fit together: %s = %s", rb_val_type_name(fe, &a),
                rb_val_type_name(fe, &b));
    } else if (!same_size(&a, &b)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "the sides of this equation differ in size: %s = %s",
                rb_val_type_name(fe, &a), rb_val_type_name(fe, &b));
    } else if (size_of(&a) != 0) {
        if (ctx->in_when)
            equal_in_when(fe, ctx, a, b, at);
        else
            push_equal(fe, ctx, &a, &b, at);
    }
}

bool rb_lower_results(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq, RbVal *results) {
    RbVal v = rb_lower_expr(fe, ctx, eq->right);
    if (v.kind == RB_VAL_ERROR) return false;
    if (v.kind != RB_VAL_TUPLE) {
        RbVal *one = rb_new(fe->work, RbVal);
        *one = v;
        v = (RbVal){.kind = RB_VAL_TUPLE, .fields = one, .field_count = 1, .e = one->e};
    }
    *results = v;
    if (eq->left->kid_count <= v.field_count) return true;
    rb_fail(fe->diag, RB_ERROR_MODEL, eq->at, "%d results are wanted, but the function has %d",
            eq->left->kid_count, v.field_count);
    return false;
}

void rb_equal_tuple(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    RbVal results;
    if (!rb_lower_results(fe, ctx, eq, &results)) return;
    for (int i = 0; i < eq->left->kid_count; i++) {
        if (eq->left->kids[i])
            rb_equal(fe, ctx, rb_lower_expr(fe, ctx, eq->left->kids[i]), results.fields[i], eq->at);
    }
}
