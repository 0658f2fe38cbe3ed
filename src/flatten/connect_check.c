// SPDX-License-Identifier: MIT
// Which variables of connectors go together (Modelica specification, 9.3).
#include "flatten/connect.h"

static bool is_on_bus(const RbInst *i) {
    for (; i && i->elem; i = i->parent) {
        if (rb_is_bus(i)) return true;
    }
    return false;
}

static bool is_fixed(const RbInst *i) {
    return i->variability >= RB_AST_PARAMETER;
}

static bool check_constants(RbFrontEnd *fe, RbInst *a, RbInst *b, RbPos at) {
    if (a->variability != RB_AST_CONSTANT) return true;
    RbVal va = rb_val_of_inst(fe, a), vb = rb_val_of_inst(fe, b);
    RbExprValue x, y;
    bool known = rb_val_evaluate(fe, &va, &x, at, NULL) && rb_val_evaluate(fe, &vb, &y, at, NULL);
    if (!known || a->class->type == RB_STRING) return true;
    for (int i = 0; i < x.count && i < y.count; i++) {
        if (x.data[i] == y.data[i]) continue;
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "the constants '%s' and '%s' of these connectors differ: %g and %g", a->path,
                b->path, x.data[i], y.data[i]);
        return false;
    }
    return true;
}

bool rb_connect_fits(RbFrontEnd *fe, RbInst *a, RbInst *b, RbPos at) {
    static const char *const names[] = {"a variable", "a discrete variable", "a parameter",
                                        "a constant"};
    if ((is_fixed(a) || is_fixed(b)) && a->variability != b->variability) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "'%s' is %s, but '%s' is %s; they cannot be connected", a->path,
                names[a->variability], b->path, names[b->variability]);
        return false;
    }
    if (is_fixed(a)) return check_constants(fe, a, b, at);
    bool causal = a->causality != RB_AST_ACAUSAL;
    if (causal == (b->causality != RB_AST_ACAUSAL) || is_on_bus(a) || is_on_bus(b)) return true;
    rb_fail(fe->diag, RB_ERROR_MODEL, at,
            "'%s' is an %s, but '%s' is neither input nor output; they cannot be connected",
            causal ? a->path : b->path,
            (causal ? a : b)->causality == RB_AST_INPUT ? "input" : "output",
            causal ? b->path : a->path);
    return false;
}
