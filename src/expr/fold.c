// SPDX-License-Identifier: MIT
#include "expr/fold.h"

#include "base/size.h"
#include "expr/builtins.h"

#include <math.h>
#include <string.h>

double rb_integer_power(double a, int64_t n) {
    if (n < 0) return 1.0 / rb_integer_power(a, -n);
    double result = 1.0;
    bool first = true;
    for (double square = a; n > 0; n >>= 1) {
        if (n & 1) {
            result = first ? square : result * square;
            first = false;
        }
        if (n > 1) square = square * square;
    }
    return result;
}

static double power(double a, double b) {
    if (b == floor(b) && fabs(b) <= RB_POWER_MAX) return rb_integer_power(a, (int64_t)b);
    return pow(a, b);
}

double rb_operate(RbOp op, double a, double b) {
    switch (op) {
        case RB_OP_NEG: return -a;
        case RB_OP_ADD: return a + b;
        case RB_OP_SUB: return a - b;
        case RB_OP_MUL:
        case RB_OP_EMUL: return a * b;
        case RB_OP_DIV:
        case RB_OP_EDIV: return a / b;
        case RB_OP_POW:
        case RB_OP_EPOW: return power(a, b);
        case RB_OP_LT: return a < b;
        case RB_OP_LE: return a <= b;
        case RB_OP_GT: return a > b;
        case RB_OP_GE: return a >= b;
        case RB_OP_EQ: return a == b;
        case RB_OP_NE: return a != b;
        case RB_OP_NOT: return !(a != 0);
        case RB_OP_AND: return a != 0 && b != 0;
        case RB_OP_OR: return a != 0 || b != 0;
        default: return NAN;
    }
}

static const RbExpr *constant(RbExprs *x, RbType type, double value) {
    if (!isfinite(value))
        return NULL; // stays as written, and fails when it is evaluated, with its position
    switch (type) {
        case RB_REAL: return rb_real(x, value);
        case RB_BOOLEAN: return rb_boolean(x, value != 0);
        case RB_ENUM: return rb_enum(x, (int64_t)value);
        case RB_INTEGER: return fabs(value) <= 0x1p53 ? rb_integer(x, (int64_t)value) : NULL;
        default: return NULL;
    }
}

static const RbExpr *fold_strings(RbExprs *x, RbOp op, int index, const RbExpr *const *args) {
    int order = strcmp(args[0]->text, args[1]->text);
    switch (op) {
        case RB_OP_LT: return rb_boolean(x, order < 0);
        case RB_OP_LE: return rb_boolean(x, order <= 0);
        case RB_OP_GT: return rb_boolean(x, order > 0);
        case RB_OP_GE: return rb_boolean(x, order >= 0);
        case RB_OP_EQ: return rb_boolean(x, order == 0);
        case RB_OP_NE: return rb_boolean(x, order != 0);
        case RB_OP_BUILTIN: break;
        default: return NULL;
    }
    if (index != RB_FN_CONCAT) return NULL;
    size_t a = strlen(args[0]->text), b = strlen(args[1]->text);
    if (a + b > RB_SIZE_MAX) return NULL; // the evaluation says so
    char *both = rb_arena_push(x->arena, a + b + 1, 1);
    memcpy(both, args[0]->text, a);
    memcpy(both + a, args[1]->text, b);
    return rb_string(x, both);
}

const RbExpr *rb_fold(RbExprs *x, RbOp op, int index, RbType type, const RbExpr *const *args,
                      int count) {
    double values[3], result;
    if (count < 1 || count > 3) return NULL;
    if (count == 2 && args[0]->op == RB_OP_STRING && args[1]->op == RB_OP_STRING) {
        return fold_strings(x, op, index, args);
    }
    for (int i = 0; i < count; i++) {
        if (!rb_constant_value(args[i], &values[i])) return NULL;
    }
    if (op != RB_OP_BUILTIN) {
        result = rb_operate(op, values[0], count > 1 ? values[1] : 0);
    } else if (!rb_call_builtin((RbBuiltin)index, values, count, &result)) {
        return NULL;
    }
    return constant(x, type, result);
}
