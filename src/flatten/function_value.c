// SPDX-License-Identifier: MIT
// Functions as values: names of functions as arguments, and function f(a = 1) (specification,
// 12.4.2). They exist while the text is lowered; the flat model has a function for each case.
#include "flatten/call.h"

static RbVal function_value(RbFrontEnd *fe, RbClass *class) {
    rb_class_list(fe->classes, class);
    RbVal v = {.kind = RB_VAL_FUNCTION,
               .class = class,
               .variability = RB_AST_CONSTANT,
               .field_count = class->components.count};
    v.fields = rb_new_array(fe->arena, RbVal, v.field_count + 1); // all ERROR: open
    return v;
}

bool rb_val_to_function(RbFrontEnd *fe, RbVal *v) {
    if (v->kind == RB_VAL_FUNCTION) return true;
    if (v->kind != RB_VAL_CLASS || !rb_class_is_function(v->class)) return false;
    *v = function_value(fe, v->class);
    return true;
}

static bool bind(RbFrontEnd *fe, RbVal *function, const RbActual *a) {
    RbClass *class = function->class;
    for (int i = 0; i < class->components.count; i++) {
        const RbElem *e = class->components.data[i];
        if (e->name != a->name || e->clause->causality != RB_AST_INPUT) continue;
        if (function->fields[i].kind != RB_VAL_ERROR) {
            rb_fail(fe->diag, RB_ERROR_MODEL, a->at, "the input '%s' is given twice", a->name);
            return false;
        }
        function->fields[i] = a->value;
        function->variability = rb_weaker(function->variability, a->value.variability);
        return true;
    }
    rb_fail(fe->diag, RB_ERROR_MODEL, a->at, "'%s' has no input '%s'%s", class->full_name, a->name,
            rb_near_element(fe->classes, class, a->name));
    return false;
}

RbVal rb_lower_partial(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    RbVal v = rb_lower_callee(fe, ctx, e->kids[0]);
    if (v.kind == RB_VAL_ERROR) return v;
    if (!rb_val_to_function(fe, &v)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "'%s' is not a function",
                rb_expr_text(fe, e->kids[0]));
        return rb_val_error();
    }
    RbVal *fields = rb_new_array(fe->arena, RbVal, v.field_count + 1);
    for (int i = 0; i < v.field_count; i++) fields[i] = v.fields[i];
    v.fields = fields;
    RbActuals actuals;
    if (!rb_lower_actuals(fe, ctx, e, &actuals)) return rb_val_error();
    for (int i = 0; i < actuals.count; i++) {
        if (!bind(fe, &v, &actuals.list[i])) return rb_val_error();
    }
    return v;
}

// Inputs that are open, or results.
static int count_components(const RbClass *class, RbAstCausality causality, const RbVal *bound) {
    int count = 0;
    for (int i = 0; i < class->components.count; i++) {
        bool is_open = !bound || bound[i].kind == RB_VAL_ERROR;
        count += class->components.data[i]->clause->causality == causality && is_open;
    }
    return count;
}

bool rb_function_fits(RbFrontEnd *fe, const RbVal *function, RbClass *type) {
    rb_class_list(fe->classes, type);
    return count_components(function->class, RB_AST_INPUT, function->fields) >=
               count_components(type, RB_AST_INPUT, NULL) &&
           count_components(function->class, RB_AST_OUTPUT, NULL) >=
               count_components(type, RB_AST_OUTPUT, NULL);
}

const RbElem *rb_function_missing(RbFrontEnd *fe, const RbVal *function, const RbClass *type) {
    int wanted = count_components(type, RB_AST_INPUT, NULL);
    for (int i = 0; i < function->class->components.count; i++) {
        RbElem *e = function->class->components.data[i];
        if (e->clause->causality != RB_AST_INPUT || function->fields[i].kind != RB_VAL_ERROR)
            continue;
        if (wanted-- <= 0 && !rb_has_default(fe, e)) return e;
    }
    return NULL;
}
