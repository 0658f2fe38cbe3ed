// SPDX-License-Identifier: MIT
#include "code/writer.h"
#include "expr/fold.h"

// Where the table of sizes tells about an array that has a place: 4 * entry.
int rb_array_entry(const RbWriter *w, const RbExpr *n) {
    if (n->op == RB_OP_VAR) return w->l->dae->vars.data[n->index].slot;
    return w->l->dae->arrays.count + w->temp[n->id] - 1;
}

static bool has_place(RbWriter *w, const RbExpr *n) {
    return n->op == RB_OP_VAR || rb_has_temp(w, n);
}

void rb_write_pointer(RbWriter *w, const RbExpr *n) {
    RbArea area = n->op == RB_OP_VAR ? rb_place(w->l, n->index).area : RB_AREA_NONE;
    if (area >= 0) w->used |= 1U << area;
    rb_text_printf(w->out, "%s + n[%d]", area >= 0 ? rb_area_name(area) : "v",
                   4 * rb_array_entry(w, n));
}

// size(a, k)
void rb_write_size(RbWriter *w, const RbExpr *n) {
    double k = 1;
    rb_constant_value(n->args[1], &k);
    rb_text_printf(w->out, "(double)n[%d]", 4 * rb_array_entry(w, n->args[0]) + 1 + (int)k);
}

// A scalar that is a product or sum over arrays.
void rb_write_over_array(RbWriter *w, const RbExpr *n) {
    bool product = n->op == RB_OP_MUL;
    rb_text_add(w->out, product ? "rb_dot(f, " : "rb_sum(");
    rb_write_pointer(w, n->args[0]);
    if (product) {
        rb_text_add(w->out, ", ");
        rb_write_pointer(w, n->args[1]);
    }
    rb_text_printf(w->out, ", n[%d])", 4 * rb_array_entry(w, n->args[0]) + 1);
}

bool rb_is_over_array(const RbExpr *n) {
    return n->rank == 0 && n->arg_count > 0 && n->args[0]->rank > 0 &&
           (n->op == RB_OP_MUL || (n->op == RB_OP_BUILTIN && n->index == RB_FN_SUM));
}

// Not element by element: needs its arguments in memory and has its own loops.
static bool is_block_operation(const RbExpr *n) {
    if (n->rank == 0) return false;
    if (n->op == RB_OP_MUL) return n->args[0]->rank > 0 && n->args[1]->rank > 0;
    if (n->op == RB_OP_ARRAY) return true;
    return n->op == RB_OP_BUILTIN && (n->index == RB_FN_TRANSPOSE || n->index == RB_FN_IDENTITY ||
                                      n->index == RB_FN_DIAGONAL);
}

static void to_workspace(RbWriter *w, const RbExpr *n);

void rb_need_place(RbWriter *w, const RbExpr *n) {
    rb_prepare(w, n);
    if (!has_place(w, n)) to_workspace(w, n);
}

// What stands in a loop but does not change in it is computed before.
static void prepare_loop(RbWriter *w, const RbExpr *n) {
    for (int i = 0; i < n->arg_count; i++) {
        const RbExpr *a = n->args[i];
        if (n->op == RB_OP_BUILTIN && n->index == RB_FN_FILL && i > 0) break; // sizes
        rb_prepare(w, a);
        RbCodePlace place = rb_algebraic_place(w, a);
        bool inlined = place.area >= 0 && w->inlined[place.index];
        if (a->rank == 0 && (a->arg_count > 0 || inlined) && !rb_has_temp(w, a))
            rb_assign_temp(w, a);
    }
}

static void write_arguments(RbWriter *w, const RbExpr *n) {
    const RbExpr *a = n->args[0], *b = n->arg_count > 1 ? n->args[1] : NULL;
    int ea = 4 * rb_array_entry(w, a), eb = b ? 4 * rb_array_entry(w, b) : 0;
    rb_write_pointer(w, a);
    if (n->op == RB_OP_MUL) {
        rb_text_add(w->out, ", ");
        rb_write_pointer(w, b);
        rb_text_printf(w->out, a->rank == 2 ? ", n[%d], n[%d]" : ", 1, n[%d]", ea + 2, ea + 3);
        rb_text_printf(w->out, b->rank == 2 ? ", n[%d]);\n" : ", 1);\n", eb + 3);
    } else {
        rb_text_printf(w->out, n->index == RB_FN_TRANSPOSE ? ", n[%d], n[%d]);\n" : ", n[%d]);\n",
                       ea + 2, ea + 3);
    }
}

static void fill_elements(RbWriter *w, const RbExpr *n, const char *to) {
    RbExprList list = {0};
    rb_flatten_argument(n, w->scratch, &list);
    for (int i = 0; i < list.count; i++) {
        rb_text_printf(w->out, "    (%s)[%d] = ", to, i);
        rb_write(w, list.data[i]);
        rb_text_add(w->out, ";\n");
    }
}

// Statements that fill the array at `to` with n, whose arguments are prepared.
static void fill_array(RbWriter *w, const RbExpr *n, const char *to, int entry) {
    if (n->op == RB_OP_ARRAY) {
        fill_elements(w, n, to);
    } else if (is_block_operation(n) && !rb_has_temp(w, n)) {
        bool identity = n->op == RB_OP_BUILTIN && n->index == RB_FN_IDENTITY;
        const char *name = n->op == RB_OP_MUL            ? "f->product"
                           : n->index == RB_FN_TRANSPOSE ? "rb_transpose"
                                                         : "rb_diagonal";
        rb_text_printf(w->out, "    %s(%s, ", name, to);
        if (identity)
            rb_text_printf(w->out, "0, n[%d]);\n", 4 * entry + 2);
        else
            write_arguments(w, n);
    } else {
        rb_text_printf(w->out, "    for (int k = 0; k < n[%d]; k++) (%s)[k] = ", 4 * entry + 1, to);
        rb_write(w, n);
        rb_text_add(w->out, ";\n");
    }
}

static void to_workspace(RbWriter *w, const RbExpr *n) {
    uint64_t *known = rb_map_find(&w->workspace_of, (uint64_t)n->id);
    int place = known ? (int)*known : w->source->arrays.count;
    if (!known) {
        rb_map_set(&w->workspace_of, w->scratch, (uint64_t)n->id, (uint64_t)place);
        rb_array_push(&w->source->arrays, w->arena, n);
    }
    int entry = w->l->dae->arrays.count + place;
    fill_array(w, n, rb_arena_printf(w->scratch, "v + n[%d]", 4 * entry), entry);
    rb_know(w, n);
    w->temp[n->id] = place + 1;
    rb_array_push(&w->trail, w->scratch, n->id);
}

static void prepare_block_operation(RbWriter *w, const RbExpr *n) {
    if (n->op == RB_OP_ARRAY) {
        RbExprList list = {0};
        rb_flatten_argument(n, w->scratch, &list);
        for (int i = 0; i < list.count; i++) rb_prepare(w, list.data[i]);
        return;
    }
    for (int i = 0; i < n->arg_count && n->args[i]->rank > 0; i++) rb_need_place(w, n->args[i]);
}

// The statements that an array expression needs; afterwards it can be written as an element in a
// loop. `target`: it is assigned as a whole, so it needs no workspace itself.
void rb_prepare_array(RbWriter *w, const RbExpr *n, bool target) {
    if (n->op == RB_OP_VAR || rb_has_temp(w, n)) return;
    rb_know(w, n);
    if (is_block_operation(n)) {
        prepare_block_operation(w, n);
        if (!target || w->uses[n->id] > 1) to_workspace(w, n);
        return;
    }
    prepare_loop(w, n);
    if (w->uses[n->id] > 1 && n->index != RB_FN_FILL) to_workspace(w, n);
}

void rb_emit_array(RbWriter *w, RbCodePlace place, const RbExpr *value) {
    rb_prepare_array(w, value, true);
    int entry = place.array - 1;
    w->used |= 1U << place.area;
    fill_array(w, value,
               rb_arena_printf(w->scratch, "%s + n[%d]", rb_area_name(place.area), 4 * entry),
               entry);
}
