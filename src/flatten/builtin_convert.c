// SPDX-License-Identifier: MIT
// String(...) and Integer(...).
#include <string.h>

#include "flatten/builtin.h"
#include "flatten/call.h"

static RbVal enumeration_name(RbFrontEnd *fe, const RbVal *v) {
    const RbAstClass *def = v->class->enumeration;
    const RbExpr *e =
        rb_string(fe->x, def->literal_count > 0 ? def->literals[def->literal_count - 1].name : "");
    for (int i = def->literal_count - 2; i >= 0; i--) {
        const RbExpr *is = rb_relate(fe->x, RB_OP_EQ, v->e, rb_enum(fe->x, i + 1));
        e = rb_if(fe->x, is, rb_string(fe->x, def->literals[i].name), e);
    }
    return rb_val_scalar(e, v->variability);
}

// Positions of the arguments of String(...)
enum { VALUE, DIGITS, LENGTH, LEFT, FORMAT, STRING_ARGS }; // ORDER string_names

static const char *const string_names[] = {"", "significantDigits", "minimumLength",
                                           "leftJustified", "format"};

static int string_position(const RbActual *arg, int *next) {
    if (!arg->name) return (*next)++;
    for (int k = DIGITS; k < STRING_ARGS; k++) {
        if (strcmp(string_names[k], arg->name) == 0) return k;
    }
    return -1;
}

// The arguments by position; *next is the number of those without a name.
static bool place_string_args(RbFrontEnd *fe, const RbActuals *actuals, RbVal *v, int *next) {
    for (int i = 0; i < actuals->count; i++) {
        int at = string_position(&actuals->list[i], next);
        if (at < 0 || at >= STRING_ARGS) {
            rb_fail(fe->diag, RB_ERROR_MODEL, actuals->list[i].at,
                    "String(...) has no such argument");
            return false;
        }
        v[at] = actuals->list[i].value;
    }
    return true;
}

static const RbExpr *or_default(const RbVal *v, const RbExpr *usual) {
    return v->kind == RB_VAL_EXPR ? v->e : usual;
}

// String(value, significantDigits=6, minimumLength=0, leftJustified=true), String(value,
// format=...)
RbVal rb_lower_string(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    RbVal v[STRING_ARGS] = {0}, value;
    int next = 0;
    RbActuals actuals;
    if (!rb_lower_actuals(fe, ctx, e, &actuals)) return rb_val_error();
    if (actuals.count > 0 && rb_val_is_overloaded(fe, &actuals.list[0].value))
        return rb_overload_call(fe, actuals.list[0].value.class, "'String'", &actuals);
    if (!place_string_args(fe, &actuals, v, &next)) return rb_val_error();
    value = v[VALUE];
    if (value.kind != RB_VAL_EXPR || value.rank > 0 || value.type == RB_EXTERNAL) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "String(...) needs a scalar value");
        return rb_val_error();
    }
    bool named = value.type == RB_ENUM && value.class && value.class->enumeration;
    if (named) value = enumeration_name(fe, &value);
    if (value.type == RB_STRING && e->kid_count == 2) return value;
    // Positional arguments of Integer and Boolean begin with minimumLength.
    if (value.type != RB_REAL && next >= 2 && v[DIGITS].kind == RB_VAL_EXPR) {
        v[LEFT] = v[LENGTH];
        v[LENGTH] = v[DIGITS];
        v[DIGITS].kind = RB_VAL_ERROR;
    }
    const RbExpr *args[] = {value.e, or_default(&v[DIGITS], rb_integer(fe->x, 6)),
                            or_default(&v[LENGTH], rb_integer(fe->x, 0)),
                            or_default(&v[LEFT], rb_boolean(fe->x, true))};
    bool plain = v[DIGITS].kind != RB_VAL_EXPR && v[LENGTH].kind != RB_VAL_EXPR &&
                 v[LEFT].kind != RB_VAL_EXPR;
    const RbExpr *text = v[FORMAT].kind == RB_VAL_EXPR
                             ? rb_builtin2(fe->x, RB_FN_TO_STRING, value.e, v[FORMAT].e)
                             : rb_builtin(fe->x, RB_FN_TO_STRING, args, plain ? 1 : 4);
    return rb_val_scalar(text, value.variability);
}

RbVal rb_builtin_integer(const RbBuiltinCall *c) {
    RbVal v;
    if (!rb_builtin_count(c, 1, 1) || !rb_builtin_typed(c, 0, 'x', &v)) return rb_val_error();
    if (v.type != RB_ENUM && v.type != RB_BOOLEAN && v.type != RB_INTEGER) {
        return rb_builtin_fail(
            c, c->args[0]->at,
            "Integer(...) needs an enumeration value; use integer(...) to round a Real down");
    }
    if (v.type != RB_INTEGER) v.e = rb_builtin1(c->fe->x, RB_FN_TO_INTEGER, v.e);
    v.type = RB_INTEGER;
    v.class = NULL;
    return v;
}
