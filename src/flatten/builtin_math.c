// SPDX-License-Identifier: MIT
// sin, cos, ..., mod, floor: functions of numbers, applied to every element of an array.
#include <string.h>

#include "flatten/builtin.h"

static const struct {
    const char *name;
    RbBuiltin function;
    int count;
    char result; // 'r' Real, 'i' Integer, 's' same as the arguments
} maths[] = {
    {"sin", RB_FN_SIN, 1, 'r'},     {"cos", RB_FN_COS, 1, 'r'},
    {"tan", RB_FN_TAN, 1, 'r'},     {"asin", RB_FN_ASIN, 1, 'r'},
    {"acos", RB_FN_ACOS, 1, 'r'},   {"atan", RB_FN_ATAN, 1, 'r'},
    {"atan2", RB_FN_ATAN2, 2, 'r'}, {"sinh", RB_FN_SINH, 1, 'r'},
    {"cosh", RB_FN_COSH, 1, 'r'},   {"tanh", RB_FN_TANH, 1, 'r'},
    {"exp", RB_FN_EXP, 1, 'r'},     {"log", RB_FN_LOG, 1, 'r'},
    {"log10", RB_FN_LOG10, 1, 'r'}, {"sqrt", RB_FN_SQRT, 1, 'r'},
    {"abs", RB_FN_ABS, 1, 's'},     {"sign", RB_FN_SIGN, 1, 'i'},
    {"div", RB_FN_DIV, 2, 's'},     {"mod", RB_FN_MOD, 2, 's'},
    {"rem", RB_FN_REM, 2, 's'},     {"floor", RB_FN_FLOOR, 1, 'r'},
    {"ceil", RB_FN_CEIL, 1, 'r'},   {"integer", RB_FN_INTEGER, 1, 'i'},
};

enum { MATHS_COUNT = sizeof maths / sizeof maths[0] };

static int find_maths(const char *name) {
    for (int i = 0; i < MATHS_COUNT; i++) {
        if (strcmp(maths[i].name, name) == 0) return i;
    }
    return -1;
}

bool rb_is_maths(const char *name) {
    return find_maths(name) >= 0;
}

RbVal rb_builtin_by_element(const RbBuiltinCall *c, const RbVal *v, int count, RbOnScalars once) {
    int size = -1;
    for (int i = 0; i < count; i++) {
        if (v[i].rank == 0) continue;
        if (v[i].dims[0] < 0 || (size >= 0 && v[i].dims[0] != size))
            return rb_builtin_fail(c, c->e->at, "arrays of different or unknown size");
        size = v[i].dims[0];
    }
    if (size < 0) return once(c, v);
    RbVal *results = rb_new_array(c->fe->arena, RbVal, size + 1);
    for (int n = 1; n <= size; n++) {
        RbVal element[RB_SCALARS_MAX];
        for (int i = 0; i < count; i++)
            element[i] = v[i].rank > 0 ? rb_val_element(c->fe, &v[i], &n, 1) : v[i];
        results[n - 1] = rb_val_single(rb_builtin_by_element(c, element, count, once));
        if (results[n - 1].kind == RB_VAL_ERROR) return results[n - 1];
    }
    return rb_val_array(c->fe, results, size, c->e->at);
}

static RbVal maths_once(const RbBuiltinCall *c, const RbVal *v) {
    int which = find_maths(c->name);
    RbBuiltin function = maths[which].function;
    RbVal out = v[0];
    const RbExpr *args[2] = {v[0].e};
    if (c->count == 2) {
        args[1] = v[1].e;
        out.variability = rb_weaker(v[0].variability, v[1].variability);
        if (v[1].type == RB_REAL) out.type = RB_REAL;
    }
    out.e = rb_builtin(c->fe->x, function, args, c->count);
    out.class = NULL;
    if (maths[which].result != 's') out.type = maths[which].result == 'i' ? RB_INTEGER : RB_REAL;
    bool steps = (function >= RB_FN_DIV && function <= RB_FN_INTEGER) || function == RB_FN_SIGN;
    if (steps && out.variability == RB_AST_CONTINUOUS && out.type == RB_INTEGER)
        out.variability = RB_AST_DISCRETE;
    return out;
}

RbVal rb_builtin_maths(const RbBuiltinCall *c) {
    int count = maths[find_maths(c->name)].count;
    RbVal v[2] = {0};
    if (!rb_builtin_count(c, count, count)) return rb_val_error();
    for (int k = 0; k < count; k++) {
        if (!rb_builtin_typed(c, k, 'r', &v[k])) return rb_val_error();
    }
    return count == 1 ? maths_once(c, v) : rb_builtin_by_element(c, v, 2, maths_once);
}
