// SPDX-License-Identifier: MIT
// function_loop.c: loops in functions as C, and what is added up or collected in them.
#include "code/function_array.h"

#define out(...) rb_text_printf(w->out, __VA_ARGS__)

// The loop and what its variable is, so that subscripts by it need fewer checks.
static void push_loop(RbFunctionWriter *w, int iterator, const RbExpr *range, int number) {
    RbOpenLoop loop = {.variable = iterator, .number = number};
    double first;
    bool counts = range->op == RB_OP_RANGE && range->type == RB_INTEGER &&
                  rb_is_number(range->args[1], 1) && rb_constant_value(range->args[0], &first) &&
                  first >= 1 && first < 1e6;
    if (counts) {
        loop.first = (int)first;
        loop.last = range->args[2];
    }
    rb_array_push(&w->loops, w->scratch, loop);
}

void rb_function_open_loop(RbFunctionWriter *w, int iterator, const RbExpr *range) {
    int k = ++w->temps;
    push_loop(w, iterator, range, k);
    if (range->op == RB_OP_RANGE) {
        for (int i = 0; i < 3; i++) rb_function_prepare(w, range->args[i]);
        out("    double b%d = ", k);
        rb_function_write(w, range->args[0]);
        out(", h%d = ", k);
        rb_function_write(w, range->args[1]);
        out(", e%d = ", k);
        rb_function_write(w, range->args[2]);
        out("; int i%d, n%d = rb_steps(b%d, h%d, e%d);\n    if (n%d < 0) goto fail;\n", k, k, k, k,
            k, k);
        rb_function_check(w);
        out("    for (i%d = 0; i%d < n%d; i%d++) {\n    ", k, k, k, k);
        rb_function_variable(w, iterator);
        out(" = b%d + i%d * h%d;\n", k, k, k);
        return;
    }
    rb_function_prepare(w, range);
    const char *box = rb_function_box(w, range);
    rb_function_check(w);
    out("    A z%d; int i%d; z%d = %s;\n    for (i%d = 0; i%d < z%d.c; i%d++) {\n    ", k, k, k,
        box, k, k, k, k);
    rb_function_variable(w, iterator);
    out(" = z%d.d[i%d];\n", k, k);
}

void rb_function_close_loop(RbFunctionWriter *w) {
    w->loops.count--;
    out("    }\n");
}

// How the next value o (of element i, for arrays) changes the result t.
static void combine(RbFunctionWriter *w, RbReduction kind, const char *t, const char *o) {
    switch (kind) {
        case RB_REDUCE_PRODUCT: out("    %s = %s * %s;\n", t, t, o); break;
        case RB_REDUCE_MIN: out("    %s = %s < %s ? %s : %s;\n", t, o, t, o, t); break;
        case RB_REDUCE_MAX: out("    %s = %s > %s ? %s : %s;\n", t, o, t, o, t); break;
        default: out("    %s = %s + %s;\n", t, t, o);
    }
}

static void combine_scalars(RbFunctionWriter *w, const RbExpr *e, int t) {
    rb_function_prepare(w, e->args[0]);
    out("    double o%d = ", t);
    rb_function_write(w, e->args[0]);
    out(";\n");
    rb_function_check(w);
    combine(w, (RbReduction)e->index, rb_arena_printf(w->scratch, "t%d", t),
            rb_arena_printf(w->scratch, "o%d", t));
    out("    f->stack = m%d;\n", t);
}

// Element by element. The first turn makes the array; it stays on the stack below the others.
static void combine_arrays(RbFunctionWriter *w, const RbExpr *e, const char *start, int t) {
    rb_function_prepare(w, e->args[0]);
    const char *box = rb_function_box(w, e->args[0]);
    rb_function_check(w);
    out("    A o%d; o%d = %s", t, t, box);
    out(";\n    if (c%d++ == 0) {\n    if (rb_like(f, &a%d, &o%d, &o%d)) goto fail;\n", t, t, t, t);
    out("    for (i%d = 0; i%d < a%d.c; i%d++) a%d.d[i%d] = %s;\n    m%d = f->stack;\n    }\n", t,
        t, t, t, t, t, start, t);
    out("    if (o%d.c != a%d.c) goto fail;\n    for (i%d = 0; i%d < a%d.c; i%d++)\n", t, t, t, t,
        t, t);
    combine(w, (RbReduction)e->index, rb_arena_printf(w->scratch, "a%d.d[i%d]", t, t),
            rb_arena_printf(w->scratch, "o%d.d[i%d]", t, t));
    out("    f->stack = m%d;\n", t);
}

// The vectors of all iterators are known before the first loop begins.
static void prepare_fold(RbFunctionWriter *w, const RbExpr *e) {
    static const char *const starts[] = {"0.0", "0.0", "1.0", "(1.0 / 0.0)", "(-1.0 / 0.0)"};
    int t = ++w->temps, loops = (e->arg_count - 1) / 2;
    if (e->rank > 0)
        out("    A a%d; int c%d = 0, i%d;\n    {\n", t, t, t);
    else
        out("    double t%d = %s;\n    {\n", t, starts[e->index]);
    int mark = w->trail.count;
    for (int i = loops - 1; i >= 0; i--) // the first iterator is the fastest
        rb_function_open_loop(w, e->args[1 + 2 * i]->index, e->args[2 + 2 * i]);
    int lazy = w->lazy;
    w->lazy = 0;
    out("    double *m%d = f->stack;\n", t);
    if (e->rank > 0)
        combine_arrays(w, e, starts[e->index], t);
    else
        combine_scalars(w, e, t);
    for (int i = 0; i < loops; i++) rb_function_close_loop(w);
    out("    }\n");
    if (e->rank > 0) out("    if (c%d == 0) goto fail;\n", t);
    rb_function_forget(w, mark);
    w->lazy = lazy;
    rb_function_name(w, e, t);
}

// {body for i in range, j in range}; the numbers of elements are known before the first one.
static void prepare_comprehension(RbFunctionWriter *w, const RbExpr *e) {
    int a = ++w->temps, loops = (e->arg_count - 1) / 2, mark = w->trail.count, lazy = w->lazy;
    out("    A a%d; int c%d = 0; a%d.d = 0; a%d.room = 0;\n    {\n", a, a, a, a);
    w->lazy = 0;
    int numbers[RB_RANK_MAX];
    bool ranges[RB_RANK_MAX];
    for (int i = loops - 1; i >= 0; i--) {
        numbers[i] = w->temps + 1;
        ranges[i] = e->args[2 + 2 * i]->op == RB_OP_RANGE;
        rb_function_open_loop(w, e->args[1 + 2 * i]->index, e->args[2 + 2 * i]);
    }
    rb_function_prepare(w, e->args[0]);
    const RbExpr *body = e->args[0];
    const char *value = body->rank > 0 ? rb_function_box(w, body) : rb_function_text(w, body);
    if (body->rank > 0)
        out("    A o%d; o%d = %s;\n", a, a, value);
    else
        out("    A o%d; double k%d = %s; rb_box(&o%d, &k%d);\n", a, a, value, a, a);
    rb_function_check(w);
    out("    if (!a%d.d) { int g[4]; ", a);
    for (int i = 0; i < loops; i++)
        out(ranges[i] ? "g[%d] = n%d; " : "g[%d] = z%d.c; ", loops - 1 - i, numbers[i]);
    out("if (rb_rows(f, &a%d, %d, g, &o%d)) goto fail; }\n", a, loops, a);
    out("    if (rb_row(&a%d, &c%d, &o%d)) goto fail;\n", a, a, a);
    for (int i = 0; i < loops; i++) rb_function_close_loop(w);
    out("    }\n    if (!a%d.d && rb_new(f, &a%d, 1, 0, 0, 0, 0)) goto fail;\n", a, a);
    out("    if (c%d != a%d.c) goto fail;\n", a, a);
    rb_function_forget(w, mark);
    w->lazy = lazy;
    rb_function_name(w, e, a);
}

void rb_function_prepare_reduction(RbFunctionWriter *w, const RbExpr *e) {
    if (e->index == RB_REDUCE_ARRAY)
        prepare_comprehension(w, e);
    else
        prepare_fold(w, e);
}
