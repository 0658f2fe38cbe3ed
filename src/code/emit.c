// SPDX-License-Identifier: MIT
#include "code/emit.h"

#include <math.h>

#include "base/assert.h"
#include "expr/builtins.h"
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

void rb_c_write_condition(const RbCWriter *w, const RbExpr *e) {
    bool plain = e->op >= RB_OP_LT && e->op <= RB_OP_OR && !w->has_name(w->user, e);
    if (!plain) rb_text_add(w->out, "(");
    rb_c_write(w, e);
    if (!plain) rb_text_add(w->out, " != 0.0)");
}

static void write_infix(const RbCWriter *w, const RbExpr *a, const char *op, const RbExpr *b) {
    rb_text_add(w->out, "(");
    rb_c_write(w, a);
    rb_text_add(w->out, op);
    rb_c_write(w, b);
    rb_text_add(w->out, ")");
}

static bool is_negated(const RbCWriter *w, const RbExpr *e) {
    return e->op == RB_OP_NEG && !w->has_name(w->user, e);
}

// (-a) + b and b + (-a) are b - a, also in floating-point arithmetic.
static void write_sum(const RbCWriter *w, const RbExpr *e) {
    const RbExpr *a = e->args[0], *b = e->args[1];
    if (is_negated(w, a))
        write_infix(w, b, " - ", a->args[0]);
    else if (is_negated(w, b))
        write_infix(w, a, " - ", b->args[0]);
    else
        write_infix(w, a, " + ", b);
}

static void write_logic(const RbCWriter *w, const RbExpr *e) {
    rb_text_add(w->out, "(");
    rb_c_write_condition(w, e->args[0]);
    rb_text_add(w->out, rb_infix_in_c((RbOp)e->op));
    rb_c_write_condition(w, e->args[1]);
    rb_text_add(w->out, ")");
}

static void write_prefix(const RbCWriter *w, const char *op, const RbExpr *e, bool condition) {
    rb_text_add(w->out, op);
    (condition ? rb_c_write_condition : rb_c_write)(w, e);
    rb_text_add(w->out, ")");
}

static void write_ternary(const RbCWriter *w, const RbExpr *e) {
    rb_text_add(w->out, "(");
    rb_c_write_condition(w, e->args[0]);
    rb_text_add(w->out, " ? ");
    rb_c_write(w, e->args[1]);
    rb_text_add(w->out, " : ");
    rb_c_write(w, e->args[2]);
    rb_text_add(w->out, ")");
}

static void write_function(const RbCWriter *w, const char *name, const RbExpr *e) {
    rb_text_printf(w->out, "%s(", name);
    for (int i = 0; i < e->arg_count; i++) {
        if (i > 0) rb_text_add(w->out, ", ");
        rb_c_write(w, e->args[i]);
    }
    rb_text_add(w->out, ")");
}

static void write_builtin(const RbCWriter *w, const RbExpr *e) {
    const RbBuiltinInfo *info = &rb_builtins[e->index];
    if (info->passes > 0)
        rb_c_write(w, e->args[info->passes - 1]);
    else
        write_function(w, info->in_c, e);
}

void rb_c_write(const RbCWriter *w, const RbExpr *e) {
    double number;
    if (w->own(w->user, e)) return;
    if (rb_constant_value(e, &number)) {
        rb_write_constant(w->constants, number, w->out);
        return;
    }
    switch ((RbOp)e->op) {
        case RB_OP_NEG: write_prefix(w, "(-", e->args[0], false); break;
        case RB_OP_NOT: write_prefix(w, "(!", e->args[0], true); break;
        case RB_OP_ADD: write_sum(w, e); break;
        case RB_OP_AND:
        case RB_OP_OR: write_logic(w, e); break;
        case RB_OP_POW:
        case RB_OP_EPOW: write_function(w, "rb_power", e); break;
        case RB_OP_IF: write_ternary(w, e); break;
        case RB_OP_BUILTIN: write_builtin(w, e); break;
        default:
            RB_ASSERT(rb_infix_in_c((RbOp)e->op) && "prepared before it is written");
            write_infix(w, e->args[0], rb_infix_in_c((RbOp)e->op), e->args[1]);
    }
}

bool rb_is_expandable(const RbExpr *n, int64_t *exponent) {
    double value;
    if (n->op != RB_OP_POW || !rb_constant_value(n->args[1], &value)) return false;
    *exponent = (int64_t)value;
    return value == floor(value) && fabs(value) <= RB_POWER_MAX && value != 0;
}
