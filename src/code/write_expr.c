// SPDX-License-Identifier: MIT
#include "base/assert.h"

#include "expr/builtins.h"
#include "code/emit.h"
#include "code/writer.h"

static void write_constant(RbWriter *w, double value) {
    rb_write_constant(&w->constants, value, w->out);
}

static bool is_condition(const RbExpr *n) {
    return n->op >= RB_OP_LT && n->op <= RB_OP_OR;
}

// As a C condition.
void rb_write_condition(RbWriter *w, const RbExpr *n) {
    if (is_condition(n) && !rb_has_temp(w, n) && !rb_in_h(w, n)) {
        rb_write(w, n);
    } else {
        rb_text_add(w->out, "(");
        rb_write(w, n);
        rb_text_add(w->out, " != 0.0)");
    }
}

static void write_infix(RbWriter *w, const RbExpr *n, const char *op) {
    rb_text_add(w->out, "(");
    rb_write(w, n->args[0]);
    rb_text_add(w->out, op);
    rb_write(w, n->args[1]);
    rb_text_add(w->out, ")");
}

// (-a) + b and b + (-a) are b - a, also in floating-point arithmetic.
static void write_sum(RbWriter *w, const RbExpr *n) {
    int k = n->args[0]->op == RB_OP_NEG && !rb_has_temp(w, n->args[0])   ? 0
            : n->args[1]->op == RB_OP_NEG && !rb_has_temp(w, n->args[1]) ? 1
                                                                         : -1;
    if (k < 0) {
        write_infix(w, n, " + ");
        return;
    }
    rb_text_add(w->out, "(");
    rb_write(w, n->args[1 - k]);
    rb_text_add(w->out, " - ");
    rb_write(w, n->args[k]->args[0]);
    rb_text_add(w->out, ")");
}

static void write_logic(RbWriter *w, const RbExpr *n, const char *op) {
    rb_text_add(w->out, "(");
    rb_write_condition(w, n->args[0]);
    rb_text_add(w->out, op);
    rb_write_condition(w, n->args[1]);
    rb_text_add(w->out, ")");
}

static void write_function(RbWriter *w, const char *name, const RbExpr *n) {
    rb_text_printf(w->out, "%s(", name);
    for (int i = 0; i < n->arg_count; i++) {
        if (i > 0) rb_text_add(w->out, ", ");
        rb_write(w, n->args[i]);
    }
    rb_text_add(w->out, ")");
}

// Only during initialisation is it less than the actual expression.
static void write_homotopy(RbWriter *w, const RbExpr *n) {
    rb_text_add(w->out, "(f->homotopy == 1.0 ? ");
    rb_write(w, n->args[0]);
    rb_text_add(w->out, " : f->homotopy * (");
    rb_write(w, n->args[0]);
    rb_text_add(w->out, ") + (1.0 - f->homotopy) * (");
    rb_write(w, n->args[1]);
    rb_text_add(w->out, "))");
}

static void write_builtin(RbWriter *w, const RbExpr *n) {
    const RbBuiltinInfo *info = &rb_builtins[n->index];
    switch ((RbBuiltin)n->index) {
        case RB_FN_HOMOTOPY: write_homotopy(w, n); break;
        case RB_FN_DELAY:
            rb_text_printf(w->out, "f->delay(f, %d, ", (int)n->args[0]->real);
            rb_write(w, n->args[1]);
            rb_text_add(w->out, ")");
            break;
        case RB_FN_FILL: rb_write(w, n->args[0]); break; // of any element
        case RB_FN_SIZE: rb_write_size(w, n); break;
        default:
            if (info->passes > 0)
                rb_write(w, n->args[info->passes - 1]);
            else
                write_function(w, info->in_c, n);
    }
}

void rb_write_place(RbWriter *w, RbCodePlace place) {
    RB_ASSERT(place.area >= 0 && place.array == 0);
    w->used |= 1U << place.area;
    if (w->run && rb_write_cell_place(w, place)) return;
    rb_text_printf(w->out, "%s[%d]", rb_area_name(place.area), place.index);
}

RbCodePlace rb_algebraic_place(const RbWriter *w, const RbExpr *n) {
    const RbDaeVar *var = n->op == RB_OP_VAR ? &w->l->dae->vars.data[n->index] : NULL;
    bool algebraic = var && var->kind == RB_DAE_ALGEBRAIC && !var->whole;
    return algebraic ? rb_place(w->l, n->index) : (RbCodePlace){.area = RB_AREA_NONE};
}

static void write_variable(RbWriter *w, int v) {
    const RbDaeVar *var = &w->l->dae->vars.data[v];
    if (var->whole) { // element k: there is a loop around it
        rb_text_add(w->out, "(");
        rb_write_pointer(w, rb_flat_ref(w->l->dae->model, v));
        rb_text_add(w->out, ")[k]");
        return;
    }
    if (var->kind == RB_DAE_ALGEBRAIC && w->inlined[var->slot]) {
        rb_write(w, w->inlined[var->slot]);
        return;
    }
    if (var->kind == RB_DAE_ALGEBRAIC && w->local[var->slot]) {
        bool handed_on = w->local[var->slot] == RB_LOCAL_HANDED_ON;
        rb_text_printf(w->out, handed_on ? "c%d_##to" : "v%d", var->slot);
        return;
    }
    if (var->kind == RB_DAE_ALGEBRAIC && w->carried[var->slot]) {
        rb_text_printf(w->out, "c%d_##from", w->carried[var->slot] - 1);
        return;
    }
    if (var->kind == RB_DAE_ALIAS) { // only in start values and the like
        rb_text_add(w->out, var->sign < 0 ? "(-" : "(");
        write_variable(w, var->alias);
        rb_text_add(w->out, ")");
    } else if (var->kind == RB_DAE_UNUSED) {
        rb_text_add(w->out, "0.0");
    } else {
        rb_write_place(w, rb_place(w->l, v));
    }
}

static void write_ternary(RbWriter *w, const RbExpr *n) {
    rb_text_add(w->out, "(");
    rb_write_condition(w, n->args[0]);
    rb_text_add(w->out, " ? ");
    rb_write(w, n->args[1]);
    rb_text_add(w->out, " : ");
    rb_write(w, n->args[2]);
    rb_text_add(w->out, ")");
}

void rb_write(RbWriter *w, const RbExpr *n) {
    if (rb_has_temp(w, n)) {
        if (n->rank > 0) {
            rb_text_add(w->out, "(");
            rb_write_pointer(w, n);
            rb_text_add(w->out, ")[k]");
        } else {
            rb_text_printf(w->out, "t%d", w->temp[n->id]);
        }
        return;
    }
    if (rb_in_h(w, n)) {
        rb_write_place(w, (RbCodePlace){.area = RB_AREA_H, .index = rb_hoisted(w->l, n)});
        return;
    }
    if (rb_is_over_array(n)) {
        rb_write_over_array(w, n);
        return;
    }
    switch ((RbOp)n->op) {
        case RB_OP_REAL: write_constant(w, n->real); break;
        case RB_OP_INTEGER:
        case RB_OP_BOOLEAN: write_constant(w, (double)n->integer); break;
        case RB_OP_STRING: rb_text_add(w->out, "0.0"); break;
        case RB_OP_TIME:
            w->used |= RB_USES_TIME;
            rb_text_add(w->out, "t");
            break;
        case RB_OP_VAR: write_variable(w, n->index); break;
        case RB_OP_LOCAL: // an unknown of the system at hand
            rb_write_place(w, (RbCodePlace){.area = RB_AREA_Y, .index = n->index});
            break;
        case RB_OP_PRE:
            rb_write_place(w, (RbCodePlace){.area = RB_AREA_Q,
                                            .index = w->l->dae->vars.data[n->args[0]->index].slot});
            break;
        case RB_OP_NEG:
            rb_text_add(w->out, "(-");
            rb_write(w, n->args[0]);
            rb_text_add(w->out, ")");
            break;
        case RB_OP_ADD: write_sum(w, n); break;
        case RB_OP_SUB: write_infix(w, n, " - "); break;
        case RB_OP_MUL:
        case RB_OP_EMUL: write_infix(w, n, " * "); break;
        case RB_OP_DIV:
        case RB_OP_EDIV: write_infix(w, n, " / "); break;
        case RB_OP_POW:
        case RB_OP_EPOW: write_function(w, "rb_power", n); break;
        case RB_OP_LT: write_infix(w, n, " < "); break;
        case RB_OP_LE: write_infix(w, n, " <= "); break;
        case RB_OP_GT: write_infix(w, n, " > "); break;
        case RB_OP_GE: write_infix(w, n, " >= "); break;
        case RB_OP_EQ: write_infix(w, n, " == "); break;
        case RB_OP_NE: write_infix(w, n, " != "); break;
        case RB_OP_NOT:
            rb_text_add(w->out, "(!");
            rb_write_condition(w, n->args[0]);
            rb_text_add(w->out, ")");
            break;
        case RB_OP_AND: write_logic(w, n, " && "); break;
        case RB_OP_OR: write_logic(w, n, " || "); break;
        case RB_OP_IF: write_ternary(w, n); break;
        case RB_OP_BUILTIN: write_builtin(w, n); break;
        case RB_OP_RANGE: // its element in a loop
            rb_text_add(w->out, "(");
            rb_write(w, n->args[0]);
            rb_text_add(w->out, " + (double)k * ");
            rb_write(w, n->args[1]);
            rb_text_add(w->out, ")");
            break;
        case RB_OP_SUBSCRIPT: rb_write_whole_element(w, n); break;
        default: RB_ASSERT(false && "prepared before it is written"); rb_text_add(w->out, "0.0");
    }
}
