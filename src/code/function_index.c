// SPDX-License-Identifier: MIT
// function_index.c: subscripts in functions, as C ints that are checked where they have to be.
#include <stdlib.h>

#include "expr/builtins.h"
#include "code/function_shape.h"

#define out(...)  rb_text_printf(w->out, __VA_ARGS__)
#define text(...) rb_arena_printf(w->scratch, __VA_ARGS__)

static const RbOpenLoop *loop_of(RbFunctionWriter *w, const RbExpr *e) {
    if (e->op != RB_OP_LOCAL) return NULL;
    for (int i = w->loops.count - 1; i >= 0; i--) {
        const RbOpenLoop *l = &w->loops.data[i];
        if (l->variable == e->index) return l->first > 0 ? l : NULL;
    }
    return NULL;
}

// i<number> + offset
static const char *counter(RbFunctionWriter *w, const RbOpenLoop *l, int offset) {
    if (offset == 0) return text("i%d", l->number);
    return text("(i%d %c %d)", l->number, offset < 0 ? '-' : '+', abs(offset));
}

// Is a loop up to `last` never beyond the dimension? A size is what it is while a function runs.
static bool ends_inside(RbFunctionWriter *w, const RbExpr *array, int dim, const RbExpr *last) {
    double n, d;
    int size = w->shapes[(size_t)array->id * RB_RANK_MAX + (size_t)dim];
    if (rb_constant_value(last, &n)) return size >= 0 && n <= size;
    if (last->op != RB_OP_BUILTIN || last->index != RB_FN_SIZE || array->op != RB_OP_LOCAL)
        return false;
    if (last->args[0]->op != RB_OP_LOCAL ||
        rb_variable_kind(w->f, last->args[0]->index) == RB_FREE_ARRAY ||
        rb_variable_kind(w->f, array->index) == RB_FREE_ARRAY)
        return false;
    bool own = last->args[0] == array && rb_constant_value(last->args[1], &d) && d == dim + 1;
    const RbFunctionVar *v = &w->f->vars.data[array->index];
    return own || (array->index >= w->f->input_count && v->dims[dim] == last);
}

static const char *checked(RbFunctionWriter *w, const char *condition, const char *place) {
    w->unsure = true;
    return text("(%s ? %s : (bad = 1, 0))", condition, place);
}

static const char *constant_index(RbFunctionWriter *w, const RbExpr *array, int dim, double value) {
    int size = w->shapes[(size_t)array->id * RB_RANK_MAX + (size_t)dim];
    if (!(value >= 1 && value < 1e6)) return checked(w, "0", "0");
    int place = (int)value - 1;
    if (size >= 0) return place < size ? text("%d", place) : checked(w, "0", "0");
    return checked(w, text("%s > %d", rb_function_dim(w, array, dim), place), text("%d", place));
}

// i + c and i - c, i the variable of a loop.
static const RbOpenLoop *shifted(RbFunctionWriter *w, const RbExpr *e, int *shift) {
    double c;
    if ((e->op != RB_OP_ADD && e->op != RB_OP_SUB) || e->type != RB_INTEGER) return NULL;
    int k = rb_constant_value(e->args[1], &c) ? 1 : 0;
    if (k == 0 && (e->op == RB_OP_SUB || !rb_constant_value(e->args[0], &c))) return NULL;
    if (!(c > -1e6 && c < 1e6)) return NULL;
    *shift = e->op == RB_OP_SUB ? -(int)c : (int)c;
    return loop_of(w, e->args[1 - k]);
}

const char *rb_function_index(RbFunctionWriter *w, const RbExpr *array, int dim,
                              const RbExpr *subscript) {
    double value;
    int shift = 0;
    array = rb_passed_through(array);
    if (rb_constant_value(subscript, &value)) return constant_index(w, array, dim, value);
    const char *n = rb_function_dim(w, array, dim);
    const RbOpenLoop *l = loop_of(w, subscript);
    if (l && ends_inside(w, array, dim, l->last)) return counter(w, l, l->first - 1);
    if (!l) l = shifted(w, subscript, &shift);
    if (l) {
        const char *place = counter(w, l, l->first - 1 + shift);
        bool below = l->first + shift < 1;
        const char *inside = text("%s < %s", place, n);
        return checked(w, below ? text("%s >= 0 && %s", place, inside) : inside, place);
    }
    const char *s = rb_function_text(w, subscript);
    return checked(w, text("%s >= 1.0 && %s <= %s", s, s, n), text("(int)%s - 1", s));
}

const char *rb_function_place(RbFunctionWriter *w, const RbExpr *array, int dim,
                              const RbExpr *subscript) {
    rb_function_prepare_leaf(w, subscript);
    return rb_function_index(w, array, dim, subscript);
}

void rb_function_check(RbFunctionWriter *w) {
    if (w->unsure) out("    if (bad) goto fail;\n");
    w->unsure = false;
}
