// SPDX-License-Identifier: MIT
#include "base/assert.h"

#include "expr/builtins.h"
#include "code/emit.h"
#include "code/writer.h"

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

// Functions that have a form of their own in equations.
static bool write_builtin(RbWriter *w, const RbExpr *n) {
    switch ((RbBuiltin)n->index) {
        case RB_FN_HOMOTOPY: write_homotopy(w, n); return true;
        case RB_FN_DELAY:
            rb_text_printf(w->out, "f->delay(f, %d, ", (int)n->args[0]->real);
            rb_write(w, n->args[1]);
            rb_text_add(w->out, ")");
            return true;
        case RB_FN_FILL: rb_write(w, n->args[0]); return true; // of any element
        case RB_FN_SIZE: rb_write_size(w, n); return true;
        default: return false;
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

// What has a name already.
static bool write_named(RbWriter *w, const RbExpr *n) {
    if (rb_has_temp(w, n) && n->rank > 0) {
        rb_text_add(w->out, "(");
        rb_write_pointer(w, n);
        rb_text_add(w->out, ")[k]");
    } else if (rb_has_temp(w, n)) {
        rb_text_printf(w->out, "t%d", w->temp[n->id]);
    } else if (rb_in_h(w, n)) {
        rb_write_place(w, (RbCodePlace){.area = RB_AREA_H, .index = rb_hoisted(w->l, n)});
    } else {
        return false;
    }
    return true;
}

static bool write_own(void *user, const RbExpr *n) {
    RbWriter *w = user;
    if (write_named(w, n)) return true;
    if (rb_is_over_array(n)) {
        rb_write_over_array(w, n);
        return true;
    }
    switch ((RbOp)n->op) {
        case RB_OP_STRING: rb_text_add(w->out, "0.0"); return true;
        case RB_OP_TIME:
            w->used |= RB_USES_TIME;
            rb_text_add(w->out, "t");
            return true;
        case RB_OP_VAR: write_variable(w, n->index); return true;
        case RB_OP_LOCAL: // an unknown of the system at hand
            rb_write_place(w, (RbCodePlace){.area = RB_AREA_Y, .index = n->index});
            return true;
        case RB_OP_PRE:
            rb_write_place(w, (RbCodePlace){.area = RB_AREA_Q,
                                            .index = w->l->dae->vars.data[n->args[0]->index].slot});
            return true;
        case RB_OP_RANGE: // its element in a loop
            rb_text_add(w->out, "(");
            rb_write(w, n->args[0]);
            rb_text_add(w->out, " + (double)k * ");
            rb_write(w, n->args[1]);
            rb_text_add(w->out, ")");
            return true;
        case RB_OP_SUBSCRIPT: rb_write_whole_element(w, n); return true;
        case RB_OP_BUILTIN: return write_builtin(w, n);
        default: return false;
    }
}

static bool has_name(void *user, const RbExpr *n) {
    return rb_has_temp(user, n) || rb_in_h(user, n);
}

static RbCWriter c_writer(RbWriter *w) {
    return (RbCWriter){w->out, &w->constants, write_own, has_name, w};
}

void rb_write(RbWriter *w, const RbExpr *n) {
    RbCWriter c = c_writer(w);
    rb_c_write(&c, n);
}

void rb_write_condition(RbWriter *w, const RbExpr *n) {
    RbCWriter c = c_writer(w);
    rb_c_write_condition(&c, n);
}
