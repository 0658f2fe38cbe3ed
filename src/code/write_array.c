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

static bool is_one(const RbExpr *e) {
    return e->op == RB_OP_INTEGER && e->integer == 1;
}

// Do the elements of x[...] lie side by side? Behind the first subscript that is not a number all
// of every dimension is taken.
static bool is_part(const RbExpr *n) {
    if (n->op != RB_OP_SUBSCRIPT) return false;
    bool inside = false;
    for (int i = 1; i < n->arg_count; i++) {
        const RbExpr *s = n->args[i];
        if (inside && s->op != RB_OP_ALL) return false;
        if (s->rank == 0) continue;
        if (s->op == RB_OP_RANGE && !is_one(s->args[1])) return false;
        inside = true;
    }
    return true;
}

// The name of the memory that an array with a place lies in.
static const char *memory_of(RbWriter *w, const RbExpr *n) {
    while (is_part(n)) n = n->args[0];
    RbArea area = n->op == RB_OP_VAR ? rb_place(w->l, n->index).area : RB_AREA_NONE;
    if (area >= 0) w->used |= 1U << area;
    return area >= 0 ? rb_area_name(area) : "v";
}

void rb_write_pointer(RbWriter *w, const RbExpr *n) {
    rb_text_printf(w->out, "%s + n[%d]", memory_of(w, n), 4 * rb_array_entry(w, n));
}

// Number of the workspace array that is n; new ones go to the end of the table.
static int work_place(RbWriter *w, const RbExpr *n, RbWorkKind kind, int base) {
    uint64_t *known = rb_map_find(&w->workspace_of, (uint64_t)n->id);
    if (known) {
        RbWorkArray *a = &w->source->arrays.data[*known];
        if (a->kind == RB_WORK_SIZE) a->kind = kind;
        return (int)*known;
    }
    int place = w->source->arrays.count;
    rb_map_set(&w->workspace_of, w->scratch, (uint64_t)n->id, (uint64_t)place);
    rb_array_push(&w->source->arrays, w->arena, (RbWorkArray){n, kind, base});
    return place;
}

void rb_set_place(RbWriter *w, const RbExpr *n, int place) {
    rb_know(w, n);
    w->temp[n->id] = place + 1;
    rb_array_push(&w->trail, w->scratch, n->id);
}

int rb_new_place(RbWriter *w, const RbExpr *n) {
    return work_place(w, n, RB_WORK_STORED, 0);
}

bool rb_is_whole_element(const RbWriter *w, const RbExpr *n) {
    if (n->op != RB_OP_SUBSCRIPT || n->rank > 0) return false;
    const RbExpr *a = n->args[0];
    if (a->op == RB_OP_CALL || a->op == RB_OP_RESULT) return rb_whole_call(w->l->dae, a) != NULL;
    return a->op != RB_OP_ARRAY;
}

void rb_prepare_whole_element(RbWriter *w, const RbExpr *n) {
    rb_need_place(w, n->args[0]);
    work_place(w, n, RB_WORK_PART, rb_array_entry(w, n->args[0]));
    if (w->uses[n->id] > 1) rb_assign_temp(w, n);
}

void rb_write_whole_element(RbWriter *w, const RbExpr *n) {
    int place = (int)*rb_map_find(&w->workspace_of, (uint64_t)n->id);
    rb_text_printf(w->out, "%s[n[%d]]", memory_of(w, n), 4 * (w->l->dae->arrays.count + place));
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
    const char *name = product                     ? "rb_dot(f, "
                       : n->index == RB_FN_SUM     ? "rb_sum("
                       : n->index == RB_FN_PRODUCT ? "rb_product("
                       : n->index == RB_FN_MIN     ? "rb_least("
                                                   : "rb_largest(";
    rb_text_add(w->out, name);
    rb_write_pointer(w, n->args[0]);
    if (product) {
        rb_text_add(w->out, ", ");
        rb_write_pointer(w, n->args[1]);
    }
    rb_text_printf(w->out, ", n[%d])", 4 * rb_array_entry(w, n->args[0]) + 1);
}

bool rb_is_over_array(const RbExpr *n) {
    return n->rank == 0 && n->arg_count > 0 && n->args[0]->rank > 0 &&
           (n->op == RB_OP_MUL ||
            (n->op == RB_OP_BUILTIN && (n->index == RB_FN_SUM || n->index == RB_FN_PRODUCT ||
                                        n->index == RB_FN_MIN || n->index == RB_FN_MAX)));
}

// Not element by element: needs its arguments in memory and has its own loops.
static bool is_block_operation(const RbExpr *n) {
    if (n->rank == 0) return false;
    if (n->op == RB_OP_MUL) return n->args[0]->rank > 0 && n->args[1]->rank > 0;
    if (n->op == RB_OP_ARRAY || n->op == RB_OP_SUBSCRIPT) return true;
    return n->op == RB_OP_BUILTIN && (n->index == RB_FN_TRANSPOSE || n->index == RB_FN_IDENTITY ||
                                      n->index == RB_FN_DIAGONAL || n->index == RB_FN_CAT ||
                                      n->index == RB_FN_LINSPACE || n->index == RB_FN_SOLVE);
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
        if (n->op == RB_OP_RANGE && i == 2) break;
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

static void fill_array(RbWriter *w, const RbExpr *n, const char *to, int entry);

// One array behind the other.
static void fill_parts(RbWriter *w, const RbExpr *n, const char *to) {
    int number = ++w->temps, first = n->op == RB_OP_ARRAY ? 0 : 1;
    const char *next = rb_arena_printf(w->scratch, "c%d", number);
    rb_text_printf(w->out, "    double *%s = %s;\n", next, to);
    for (int i = first; i < n->arg_count; i++) {
        const RbExpr *part = n->args[i];
        bool placed = has_place(w, part);
        int entry = placed ? rb_array_entry(w, part)
                           : w->l->dae->arrays.count + work_place(w, part, RB_WORK_SIZE, 0);
        fill_array(w, part, next, entry);
        if (i + 1 < n->arg_count) rb_text_printf(w->out, "    %s += n[%d];\n", next, 4 * entry + 1);
    }
}

// {x, y} with vectors x and y: its rows are not written out.
static bool has_rows(RbWriter *w, const RbExpr *n) {
    RbExprList list = {0};
    if (n->op != RB_OP_ARRAY || n->rank != 2) return false;
    rb_flatten_argument(n, w->scratch, &list);
    for (int i = 0; i < list.count; i++) {
        if (list.data[i]->rank > 0) return true;
    }
    return false;
}

// Statements that fill the array at `to` with n, whose arguments are prepared.
static void fill_array(RbWriter *w, const RbExpr *n, const char *to, int entry) {
    if (has_rows(w, n) && !rb_has_temp(w, n)) {
        fill_parts(w, n, to);
    } else if (n->op == RB_OP_ARRAY) {
        fill_elements(w, n, to);
    } else if (n->op == RB_OP_BUILTIN && n->index == RB_FN_CAT && !rb_has_temp(w, n)) {
        fill_parts(w, n, to);
    } else if (n->op == RB_OP_BUILTIN && n->index == RB_FN_LINSPACE && !rb_has_temp(w, n)) {
        rb_text_printf(w->out, "    rb_linspace(%s, ", to);
        rb_write(w, n->args[0]);
        rb_text_add(w->out, ", ");
        rb_write(w, n->args[1]);
        rb_text_printf(w->out, ", n[%d]);\n", 4 * entry + 1);
    } else if (n->op == RB_OP_BUILTIN && n->index == RB_FN_SOLVE && !rb_has_temp(w, n)) {
        rb_text_printf(w->out, "    f->divide(f, %d, %s, ", work_place(w, n, RB_WORK_SIZE, 0), to);
        rb_write_pointer(w, n->args[0]);
        rb_text_add(w->out, ", ");
        rb_write_pointer(w, n->args[1]);
        rb_text_printf(w->out, n->rank == 2 ? ", n[%d]);\n" : ", 1);\n",
                       4 * rb_array_entry(w, n->args[1]) + 3);
    } else if (n->op == RB_OP_SUBSCRIPT && !rb_has_temp(w, n)) {
        int place = work_place(w, n, RB_WORK_SIZE, 0);
        rb_text_printf(w->out, "    f->gather(f, %d, %s, ", place, to);
        rb_write_pointer(w, n->args[0]);
        rb_text_add(w->out, ");\n");
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
    int place = work_place(w, n, RB_WORK_STORED, 0), entry = w->l->dae->arrays.count + place;
    fill_array(w, n, rb_arena_printf(w->scratch, "v + n[%d]", 4 * entry), entry);
    rb_set_place(w, n, place);
}

static void prepare_block_operation(RbWriter *w, const RbExpr *n) {
    bool rows = has_rows(w, n);
    if (rows || (n->op == RB_OP_BUILTIN && n->index == RB_FN_CAT)) {
        for (int i = rows ? 0 : 1; i < n->arg_count; i++) rb_prepare_array(w, n->args[i], true);
        return;
    }
    if (n->op == RB_OP_ARRAY) {
        RbExprList list = {0};
        rb_flatten_argument(n, w->scratch, &list);
        for (int i = 0; i < list.count; i++) rb_prepare(w, list.data[i]);
        return;
    }
    for (int i = 0; n->index == RB_FN_LINSPACE && n->op == RB_OP_BUILTIN && i < 2; i++)
        rb_prepare(w, n->args[i]);
    for (int i = 0; i < n->arg_count && n->args[i]->rank > 0; i++) {
        rb_need_place(w, n->args[i]);
        if (n->op == RB_OP_SUBSCRIPT) break;
    }
}

// The statements that an array expression needs; afterwards it can be written as an element in a
// loop. `target`: it is assigned as a whole, so it needs no workspace itself.
void rb_prepare_array(RbWriter *w, const RbExpr *n, bool target) {
    if (n->op == RB_OP_VAR || rb_has_temp(w, n)) return;
    rb_know(w, n);
    const RbExpr *call =
        n->op == RB_OP_CALL || n->op == RB_OP_RESULT ? rb_whole_call(w->l->dae, n) : NULL;
    if (call) {
        rb_prepare_whole_call(w, call);
        return;
    }
    if (is_part(n)) { // no copy
        rb_need_place(w, n->args[0]);
        rb_set_place(w, n, work_place(w, n, RB_WORK_PART, rb_array_entry(w, n->args[0])));
        return;
    }
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
