// SPDX-License-Identifier: MIT
// sin, cos, ..., mod, floor: functions of numbers, applied to every element of an array.
#include <string.h>

#include "flatten/builtin.h"

#include "expr/builtins.h"
static int find_maths(const char *name) {
    int f = rb_builtin_find(name);
    return f >= 0 && rb_builtin_has((RbBuiltin)f, RB_TRAIT_MATHS) ? f : -1;
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
    RbBuiltin function = (RbBuiltin)find_maths(c->name);
    RbVal out = v[0];
    const RbExpr *args[2] = {v[0].e};
    if (c->count == 2) {
        args[1] = v[1].e;
        out.variability = rb_weaker(v[0].variability, v[1].variability);
        if (v[1].type == RB_REAL) out.type = RB_REAL;
    }
    out.e = rb_builtin(c->fe->x, function, args, c->count);
    out.class = NULL;
    RbBuiltinType type = rb_builtins[function].type;
    if (type != RB_GIVES_WIDEST) out.type = type == RB_GIVES_INTEGER ? RB_INTEGER : RB_REAL;
    if (rb_builtin_has(function, RB_TRAIT_JUMPS) && out.variability == RB_AST_CONTINUOUS && out.type == RB_INTEGER)
        out.variability = RB_AST_DISCRETE;
    return out;
}

RbVal rb_builtin_maths(const RbBuiltinCall *c) {
    int count = rb_builtins[find_maths(c->name)].arg_count;
    RbVal v[2] = {0};
    if (!rb_builtin_count(c, count, count)) return rb_val_error();
    for (int k = 0; k < count; k++) {
        if (!rb_builtin_typed(c, k, 'r', &v[k])) return rb_val_error();
    }
    return count == 1 ? maths_once(c, v) : rb_builtin_by_element(c, v, 2, maths_once);
}
