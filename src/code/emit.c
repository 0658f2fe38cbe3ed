// SPDX-License-Identifier: MIT
#include "code/emit.h"

#include <math.h>

#include "expr/fold.h"

void rb_write_constant(RbConstants *c, double value, RbText *out) {
    if (value == floor(value) && fabs(value) < 1e6 && !(value == 0 && signbit(value))) {
        rb_text_printf(out, value < 0 ? "(%.1f)" : "%.1f", value);
        return;
    }
    union {
        double value;
        uint64_t bits;
    } key = {value};
    uint64_t *known = rb_map_find(&c->places, key.bits);
    int index = known ? (int)*known : c->source->constants.count;
    if (!known) {
        rb_map_set(&c->places, c->scratch, key.bits, (uint64_t)index);
        rb_array_push(&c->source->constants, c->arena, value);
    }
    rb_text_printf(out, "rb_constants[%d]", index);
}

const char *rb_infix_in_c(RbOp op) {
    switch (op) {
        case RB_OP_ADD: return " + ";
        case RB_OP_SUB: return " - ";
        case RB_OP_MUL:
        case RB_OP_EMUL: return " * ";
        case RB_OP_DIV:
        case RB_OP_EDIV: return " / ";
        case RB_OP_LT: return " < ";
        case RB_OP_LE: return " <= ";
        case RB_OP_GT: return " > ";
        case RB_OP_GE: return " >= ";
        case RB_OP_EQ: return " == ";
        case RB_OP_NE: return " != ";
        case RB_OP_AND: return " && ";
        case RB_OP_OR: return " || ";
        default: return NULL;
    }
}

bool rb_is_expandable(const RbExpr *n, int64_t *exponent) {
    double value;
    if (n->op != RB_OP_POW || !rb_constant_value(n->args[1], &value)) return false;
    *exponent = (int64_t)value;
    return value == floor(value) && fabs(value) <= RB_POWER_MAX && value != 0;
}
