// SPDX-License-Identifier: MIT
// function_expr.c: expressions within functions, as C.
#include "base/assert.h"

#include "expr/builtins.h"
#include "code/function_writer.h"

#define out(...) rb_text_printf(w->out, __VA_ARGS__)

static bool knows(RbFunctionWriter *w, const RbExpr *e) {
    return w->stamps[e->id] == w->stamp;
}

static bool has_temp(RbFunctionWriter *w, const RbExpr *e) {
    return knows(w, e) && w->temp[e->id] > 0;
}

static int trait(RbFunctionWriter *w, const RbExpr *e) {
    return knows(w, e) ? w->traits[e->id] : 0;
}

int rb_function_temp(RbFunctionWriter *w, const RbExpr *e) {
    w->temp[e->id] = ++w->temps;
    rb_array_push(&w->trail, w->scratch, e->id);
    return w->temps;
}

static void forget(RbFunctionWriter *w, int mark) {
    while (w->trail.count > mark) w->temp[w->trail.data[--w->trail.count]] = 0;
}

int rb_function_look(RbFunctionWriter *w, const RbExpr *const *roots, int count) {
    RbArena scratch = *w->scratch;
    RbExprOrder order = rb_expr_order(w->model->exprs, roots, count, &scratch);
    int all = 0;
    w->stamp++;
    w->trail.count = 0;
    w->lazy = 0;
    for (int i = 0; i < order.count; i++) {
        int id = order.nodes[i]->id;
        w->stamps[id] = w->stamp;
        w->uses[id] = w->temp[id] = w->traits[id] = 0;
    }
    for (int i = 0; i < order.count; i++) {
        for (int k = 0; k < order.nodes[i]->arg_count; k++) w->uses[order.nodes[i]->args[k]->id]++;
    }
    for (int i = 0; i < order.count; i++) {
        const RbExpr *e = order.nodes[i];
        int own = e->op == RB_OP_SUBSCRIPT ? RB_MAY_FAIL : 0;
        for (int k = 0; k < e->arg_count; k++) own |= w->traits[e->args[k]->id];
        if (e->op == RB_OP_CALL || e->op == RB_OP_REDUCE || e->op == RB_OP_RANGE ||
            (e->rank > 0 && e->op != RB_OP_LOCAL && e->op != RB_OP_ALL))
            own |= RB_IN_STEPS | RB_MAY_FAIL;
        if ((own & RB_MAY_FAIL) && w->uses[e->id] > 1) own |= RB_IN_STEPS;
        w->traits[e->id] = (unsigned char)own;
        all |= own;
    }
    return all;
}

// --- writing -------------------------------------------------------------------------------------

void rb_function_variable(RbFunctionWriter *w, int var) {
    const RbFunction *f = w->f;
    bool array = f->vars.data[var].rank > 0;
    if (var < f->input_count)
        out("%s[%d]", array ? "v" : "s", rb_function_slot(f, var));
    else if (var < f->input_count + f->output_count)
        out("%s[%d]", array ? "rv" : "rs", rb_function_slot(f, var));
    else
        out("l%d", var);
}

static bool is_leaf(RbFunctionWriter *w, const RbExpr *e) {
    return e->arg_count == 0 || has_temp(w, e);
}

// x^2, x^3 and their inverses in place, in the order of rb_integer_power; others by a loop that
// has the same order.
static bool write_power(RbFunctionWriter *w, const RbExpr *e) {
    int64_t n;
    bool small = rb_is_expandable(e, &n) && n >= -3 && n <= 3 && is_leaf(w, e->args[0]);
    if (!small) return false;
    if (n < 0) out("(1.0 / ");
    int64_t count = n < 0 ? -n : n;
    for (int k = 0; k < count; k++) {
        if (k > 0) out(" * ");
        if (k + 1 < count || count == 1) out("(");
        rb_function_write(w, e->args[0]);
    }
    for (int k = 0; k < (count == 1 ? 1 : count - 1); k++) out(")");
    if (n < 0) out(")");
    return true;
}

static bool passes_through(const RbExpr *e) {
    return e->op == RB_OP_BUILTIN && rb_builtins[e->index].passes > 0;
}

static const RbExpr *passed(const RbExpr *e) {
    return e->args[rb_builtins[e->index].passes - 1];
}

// Is it the size of a variable in a dimension that it has?
static bool is_plain_size(const RbExpr *e) {
    double d;
    return e->op == RB_OP_BUILTIN && e->index == RB_FN_SIZE && e->args[0]->op == RB_OP_LOCAL &&
           rb_constant_value(e->args[1], &d) && d >= 1 && d <= e->args[0]->rank;
}

static bool is_element(const RbExpr *e) {
    return e->op == RB_OP_SUBSCRIPT && e->rank == 0;
}

// An operation on arrays with a single number as result, which lives in an A.
static bool is_boxed(const RbExpr *e) {
    if (e->rank > 0 || e->op == RB_OP_CALL || e->op == RB_OP_RESULT || e->op == RB_OP_REDUCE ||
        is_element(e) || is_plain_size(e) || passes_through(e))
        return false;
    for (int i = 0; i < e->arg_count; i++) {
        if (e->args[i]->rank > 0) return true;
    }
    return false;
}

static void write_call_result(RbFunctionWriter *w, const RbExpr *e) {
    const RbExpr *call = e->op == RB_OP_RESULT ? e->args[0] : e;
    const RbFunction *g = w->model->functions.data[call->index];
    int var = g->input_count + (e->op == RB_OP_RESULT ? e->index : 0);
    RB_ASSERT(w->temp[call->id] > 0);
    out("%s%d[%d]", g->vars.data[var].rank > 0 ? "q" : "r", w->temp[call->id],
        rb_function_slot(g, var));
}

// i <= n ? i - 1 : wrong
static void write_checked(RbFunctionWriter *w, const RbExpr *array, const RbExpr *index) {
    double constant;
    if (rb_constant_value(index, &constant) && constant >= 1 && constant < 1e6) {
        rb_function_write(w, array);
        out(".n[0] >= %d ? %d : rb_bad(f)", (int)constant, (int)constant - 1);
        return;
    }
    rb_function_write(w, index);
    out(" >= 1.0 && ");
    rb_function_write(w, index);
    out(" <= ");
    rb_function_write(w, array);
    out(".n[0] ? (int)");
    rb_function_write(w, index);
    out(" - 1 : rb_bad(f)");
}

void rb_function_index(RbFunctionWriter *w, const RbExpr *e) {
    if (e->arg_count == 2 && is_leaf(w, e->args[1])) {
        write_checked(w, e->args[0], e->args[1]);
        return;
    }
    out("rb_index%d(f, &", e->arg_count - 1);
    rb_function_write(w, e->args[0]);
    for (int k = 1; k < e->arg_count; k++) {
        out(", ");
        rb_function_write(w, e->args[k]);
    }
    out(")");
}

static void write_size(RbFunctionWriter *w, const RbExpr *e) {
    double d = 1;
    rb_constant_value(e->args[1], &d);
    out("((double)");
    rb_function_write(w, e->args[0]);
    out(".n[%d])", (int)d - 1);
}

static bool write_own(void *user, const RbExpr *e) {
    RbFunctionWriter *w = user;
    if (e->op == RB_OP_CALL || e->op == RB_OP_RESULT) {
        write_call_result(w, e);
    } else if (has_temp(w, e)) {
        out(e->rank > 0 ? "a%d" : is_boxed(e) ? "a%d.d[0]" : "t%d", w->temp[e->id]);
    } else if (is_element(e)) {
        rb_function_write(w, e->args[0]);
        out(".d[");
        rb_function_index(w, e);
        out("]");
    } else if (e->op == RB_OP_LOCAL) {
        rb_function_variable(w, e->index);
    } else if (is_plain_size(e)) {
        write_size(w, e);
    } else {
        return (e->op == RB_OP_POW || e->op == RB_OP_EPOW) && write_power(w, e);
    }
    return true;
}

static bool has_name(void *user, const RbExpr *e) {
    return has_temp(user, e) || e->rank > 0;
}

static RbCWriter c_writer(RbFunctionWriter *w) {
    return (RbCWriter){w->out, w->constants, write_own, has_name, w};
}

void rb_function_write(RbFunctionWriter *w, const RbExpr *e) {
    RbCWriter c = c_writer(w);
    rb_c_write(&c, e);
}

void rb_function_write_condition(RbFunctionWriter *w, const RbExpr *e) {
    RbCWriter c = c_writer(w);
    rb_c_write_condition(&c, e);
}

// --- statements before an expression -------------------------------------------------------------

static void prepare_arguments(RbFunctionWriter *w, const RbExpr *e) {
    for (int i = 0; i < e->arg_count; i++) rb_function_prepare(w, e->args[i]);
}

static void assign(RbFunctionWriter *w, const char *name, int number, const RbExpr *e) {
    out("    %s%d = ", name, number);
    rb_function_write(w, e);
    out(";\n");
}

int rb_function_arguments(RbFunctionWriter *w, const RbExpr *e, int first) {
    for (int i = first; i < e->arg_count; i++) rb_function_prepare(w, e->args[i]);
    int x = ++w->temps;
    out("    A x%d[%d]; double y%d[%d];\n", x, e->arg_count + 1, x, e->arg_count + 1);
    for (int i = first; i < e->arg_count; i++) {
        const RbExpr *a = e->args[i];
        if (a->op == RB_OP_ALL) {
            out("    x%d[%d].d = 0;\n", x, i - first);
        } else if (a->rank > 0) {
            out("    x%d[%d] = ", x, i - first);
            rb_function_write(w, a);
            out(";\n");
        } else {
            out("    y%d[%d] = ", x, i - first);
            rb_function_write(w, a);
            out("; rb_box(&x%d[%d], &y%d[%d]);\n", x, i - first, x, i - first);
        }
    }
    return x;
}

static void prepare_applied(RbFunctionWriter *w, const RbExpr *e) {
    int x = rb_function_arguments(w, e, 0), a = rb_function_temp(w, e);
    rb_array_push(&w->constants->source->nodes, w->constants->arena, e);
    out("    A a%d; if (f->apply(f, %d, x%d, &a%d)) goto fail;\n", a,
        w->constants->source->nodes.count - 1, x, a);
}

static void call_arguments(RbFunctionWriter *w, const RbExpr *e, int t) {
    const RbFunction *g = w->model->functions.data[e->index];
    for (int i = 0; i < e->arg_count; i++) {
        bool string = e->args[i]->type == RB_STRING;
        out("    %s%d[%d] = ", e->args[i]->rank > 0 ? "v" : "s", t, rb_function_slot(g, i));
        if (string)
            out("0.0");
        else
            rb_function_write(w, e->args[i]);
        out(";\n");
    }
}

static void prepare_call(RbFunctionWriter *w, const RbExpr *e) {
    const RbFunctionShape n = rb_function_shape(w->model->functions.data[e->index]);
    for (int i = 0; i < e->arg_count; i++) {
        if (e->args[i]->type != RB_STRING) rb_function_prepare(w, e->args[i]);
    }
    int t = ++w->temps; // the name is known only after the arguments: one may be the same call
    out("    double s%d[%d], r%d[%d]; A v%d[%d], q%d[%d];\n", t, n.scalars_in + 1, t,
        n.scalars_out + 1, t, n.arrays_in + 1, t, n.arrays_out + 1);
    call_arguments(w, e, t);
    w->temp[e->id] = t;
    rb_array_push(&w->trail, w->scratch, e->id);
    if (w->code->compiled[e->index])
        out("    if (fn_%d(f, ", e->index);
    else
        out("    if (f->invoke(f, %d, ", e->index);
    out("s%d, v%d, r%d, q%d)) goto fail;\n", t, t, t, t);
}

// Both branches in blocks of their own, so that only the one that is chosen is evaluated.
static void prepare_choice(RbFunctionWriter *w, const RbExpr *e) {
    rb_function_prepare(w, e->args[0]);
    int t = ++w->temps;
    const char *name = e->rank > 0 ? "a" : "t";
    out("    %s %s%d;\n    if (", e->rank > 0 ? "A" : "double", name, t);
    rb_function_write_condition(w, e->args[0]);
    out(") {\n");
    for (int k = 1; k <= 2; k++) {
        int mark = w->trail.count, lazy = w->lazy;
        w->lazy = 0;
        rb_function_prepare(w, e->args[k]);
        assign(w, name, t, e->args[k]);
        out(k == 1 ? "    } else {\n" : "    }\n");
        forget(w, mark);
        w->lazy = lazy;
    }
    w->temp[e->id] = t;
    rb_array_push(&w->trail, w->scratch, e->id);
}

// a and b: b only if a holds; a or b: b only if a does not.
static void prepare_logic(RbFunctionWriter *w, const RbExpr *e) {
    rb_function_prepare(w, e->args[0]);
    int t = ++w->temps, mark = w->trail.count, lazy = w->lazy;
    out("    double t%d = ", t);
    rb_function_write_condition(w, e->args[0]);
    out(";\n    if (%st%d != 0.0%s) {\n", e->op == RB_OP_AND ? "" : "!(", t,
        e->op == RB_OP_AND ? "" : ")");
    w->lazy = 0;
    rb_function_prepare(w, e->args[1]);
    out("    t%d = ", t);
    rb_function_write_condition(w, e->args[1]);
    out(";\n    }\n");
    forget(w, mark);
    w->lazy = lazy;
    w->temp[e->id] = t;
    rb_array_push(&w->trail, w->scratch, e->id);
}

// --- loops ---------------------------------------------------------------------------------------

void rb_function_open_loop(RbFunctionWriter *w, int iterator, const RbExpr *range) {
    int k = ++w->temps;
    rb_function_prepare(w, range->op == RB_OP_RANGE ? range->args[0] : range);
    if (range->op == RB_OP_RANGE) {
        rb_function_prepare(w, range->args[1]);
        rb_function_prepare(w, range->args[2]);
        out("    double b%d = ", k);
        rb_function_write(w, range->args[0]);
        out(", h%d = ", k);
        rb_function_write(w, range->args[1]);
        out(", e%d = ", k);
        rb_function_write(w, range->args[2]);
        out("; int i%d, n%d = rb_steps(b%d, h%d, e%d);\n    if (n%d < 0 || f->bad) goto fail;\n", k,
            k, k, k, k, k);
        out("    for (i%d = 0; i%d < n%d; i%d++) {\n    ", k, k, k, k);
        rb_function_variable(w, iterator);
        out(" = b%d + i%d * h%d;\n", k, k, k);
        return;
    }
    out("    A z%d = ", k);
    rb_function_write(w, range);
    out("; int i%d;\n    for (i%d = 0; i%d < z%d.c; i%d++) {\n    ", k, k, k, k, k);
    rb_function_variable(w, iterator);
    out(" = z%d.d[i%d];\n", k, k);
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
    combine(w, (RbReduction)e->index, rb_arena_printf(w->scratch, "t%d", t),
            rb_arena_printf(w->scratch, "o%d", t));
    out("    f->stack = m%d;\n", t);
}

// Element by element. The first turn makes the array; it stays on the stack below the others.
static void combine_arrays(RbFunctionWriter *w, const RbExpr *e, const char *start, int t) {
    rb_function_prepare(w, e->args[0]);
    out("    A o%d = ", t);
    rb_function_write(w, e->args[0]);
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
static void prepare_reduction(RbFunctionWriter *w, const RbExpr *e) {
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
    for (int i = 0; i < loops; i++) out("    }\n");
    out("    }\n");
    if (e->rank > 0) out("    if (c%d == 0) goto fail;\n", t);
    forget(w, mark);
    w->lazy = lazy;
    w->temp[e->id] = t;
    rb_array_push(&w->trail, w->scratch, e->id);
}

// --- arrays --------------------------------------------------------------------------------------

// {a, b, c} of scalars
static void prepare_vector(RbFunctionWriter *w, const RbExpr *e) {
    prepare_arguments(w, e);
    int a = ++w->temps;
    out("    A a%d; if (rb_new(f, &a%d, 1, %d, 0, 0, 0)) goto fail;\n", a, a, e->arg_count);
    for (int i = 0; i < e->arg_count; i++) {
        out("    a%d.d[%d] = ", a, i);
        rb_function_write(w, e->args[i]);
        out(";\n");
    }
    w->temp[e->id] = a;
    rb_array_push(&w->trail, w->scratch, e->id);
}

static void write_operand(RbFunctionWriter *w, const RbExpr *e, int k, int n) {
    if (e->rank > 0) {
        rb_function_write(w, e);
        out(".d[i%d]", n);
    } else {
        out("%c%d", k == 0 ? 'b' : 'h', n);
    }
}

static void prepare_elementwise(RbFunctionWriter *w, const RbExpr *e) {
    prepare_arguments(w, e);
    int n = ++w->temps;
    for (int k = 0; k < e->arg_count; k++) { // scalars once, not for each element
        if (e->args[k]->rank > 0) continue;
        out("    double %c%d = ", k == 0 ? 'b' : 'h', n);
        rb_function_write(w, e->args[k]);
        out(";\n");
    }
    const RbExpr *left = e->args[e->args[0]->rank > 0 ? 0 : 1], *right = e->args[e->arg_count - 1];
    out("    A a%d; int i%d; if (rb_like(f, &a%d, &", n, n, n);
    rb_function_write(w, left);
    out(", &");
    rb_function_write(w, right->rank > 0 ? right : left);
    out(")) goto fail;\n    for (i%d = 0; i%d < a%d.c; i%d++) a%d.d[i%d] = ", n, n, n, n, n, n);
    if (e->op == RB_OP_NEG) {
        out("-");
        write_operand(w, e->args[0], 0, n);
    } else {
        write_operand(w, e->args[0], 0, n);
        out("%s", rb_infix_in_c((RbOp)e->op));
        write_operand(w, e->args[1], 1, n);
    }
    out(";\n");
    w->temp[e->id] = n;
    rb_array_push(&w->trail, w->scratch, e->id);
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
    out("    A o%d; double k%d;\n    ", a, a);
    if (body->rank > 0) {
        out("o%d = ", a);
        rb_function_write(w, body);
        out(";\n");
    } else {
        out("k%d = ", a);
        rb_function_write(w, body);
        out("; rb_box(&o%d, &k%d);\n", a, a);
    }
    out("    if (!a%d.d) { int g[4]; ", a);
    for (int i = 0; i < loops; i++)
        out(ranges[i] ? "g[%d] = n%d; " : "g[%d] = z%d.c; ", loops - 1 - i, numbers[i]);
    out("if (rb_rows(f, &a%d, %d, g, &o%d)) goto fail; }\n", a, loops, a);
    out("    if (rb_row(&a%d, &c%d, &o%d)) goto fail;\n", a, a, a);
    for (int i = 0; i < loops; i++) out("    }\n");
    out("    }\n    if (!a%d.d && rb_new(f, &a%d, 1, 0, 0, 0, 0)) goto fail;\n", a, a);
    out("    if (c%d != a%d.c) goto fail;\n", a, a);
    forget(w, mark);
    w->lazy = lazy;
    w->temp[e->id] = a;
    rb_array_push(&w->trail, w->scratch, e->id);
}

static bool all_scalar(const RbExpr *e) {
    for (int i = 0; i < e->arg_count; i++) {
        if (e->args[i]->rank > 0) return false;
    }
    return true;
}

static void prepare_range(RbFunctionWriter *w, const RbExpr *e) {
    prepare_arguments(w, e);
    int a = ++w->temps;
    out("    A a%d; if (rb_range(f, &a%d", a, a);
    for (int i = 0; i < 3; i++) {
        out(", ");
        rb_function_write(w, e->args[i]);
    }
    out(")) goto fail;\n");
    w->temp[e->id] = a;
    rb_array_push(&w->trail, w->scratch, e->id);
}

static void prepare_array(RbFunctionWriter *w, const RbExpr *e) {
    if (e->op == RB_OP_ARRAY && all_scalar(e))
        prepare_vector(w, e);
    else if (e->op == RB_OP_RANGE)
        prepare_range(w, e);
    else if (rb_is_elementwise(e) && e->op != RB_OP_EPOW)
        prepare_elementwise(w, e);
    else
        prepare_applied(w, e);
}

// --- nodes ---------------------------------------------------------------------------------------

// An array that gets its size with its value may have none yet.
static void check_value(RbFunctionWriter *w, const RbExpr *e) {
    const RbFunctionVar *v = &w->f->vars.data[e->index];
    if (v->rank == 0 || e->index < w->f->input_count || v->binding) return;
    bool sized = true;
    for (int d = 0; d < v->rank; d++) sized &= v->dims[d] != NULL;
    if (sized) return;
    out("    if (!");
    rb_function_variable(w, e->index);
    out(".d) goto fail;\n");
}

static void prepare_lazily(RbFunctionWriter *w, const RbExpr *e) {
    rb_function_prepare(w, e->args[0]);
    w->lazy++;
    for (int k = 1; k < e->arg_count; k++) rb_function_prepare(w, e->args[k]);
    w->lazy--;
}

static bool is_lazy(const RbExpr *e) {
    return e->op == RB_OP_IF || (e->rank == 0 && (e->op == RB_OP_AND || e->op == RB_OP_OR));
}

// A power is written with its base repeated.
static void prepare_base(RbFunctionWriter *w, const RbExpr *e) {
    int64_t n;
    const RbExpr *base = e->args[0];
    if (e->rank > 0 || !rb_is_expandable(e, &n) || n < -3 || n > 3 || n == 1 || n == -1) return;
    if (is_leaf(w, base) || (w->lazy > 0 && (trait(w, base) & RB_MAY_FAIL))) return;
    if (base->op == RB_OP_CALL || base->op == RB_OP_RESULT || is_boxed(base)) return;
    out("    double t%d = ", w->temps + 1);
    rb_function_write(w, base);
    out(";\n");
    rb_function_temp(w, base);
}

static void prepare_scalar(RbFunctionWriter *w, const RbExpr *e) {
    if (is_lazy(e))
        prepare_lazily(w, e);
    else
        prepare_arguments(w, e);
    prepare_base(w, e);
    if (w->uses[e->id] <= 1) return;
    if (w->lazy > 0 && (trait(w, e) & RB_MAY_FAIL)) return;
    out("    double t%d = ", w->temps + 1);
    rb_function_write(w, e);
    out(";\n");
    rb_function_temp(w, e);
}

void rb_function_prepare(RbFunctionWriter *w, const RbExpr *e) {
    if (e->op == RB_OP_LOCAL) check_value(w, e);
    if (e->arg_count == 0 && e->op != RB_OP_CALL && e->op != RB_OP_ARRAY) return;
    if (has_temp(w, e)) return;
    bool steps = is_lazy(e) && ((trait(w, e->args[1]) & RB_IN_STEPS) ||
                                (e->arg_count > 2 && (trait(w, e->args[2]) & RB_IN_STEPS)));
    if (e->op == RB_OP_CALL)
        prepare_call(w, e);
    else if (e->op == RB_OP_RESULT)
        rb_function_prepare(w, e->args[0]);
    else if (e->op == RB_OP_IF && (steps || e->rank > 0))
        prepare_choice(w, e);
    else if (steps)
        prepare_logic(w, e);
    else if (passes_through(e) && e->rank > 0)
        rb_function_prepare(w, passed(e));
    else if (e->op == RB_OP_REDUCE && e->index == RB_REDUCE_ARRAY)
        prepare_comprehension(w, e);
    else if (e->op == RB_OP_REDUCE)
        prepare_reduction(w, e);
    else if (is_boxed(e))
        prepare_applied(w, e);
    else if (e->rank > 0)
        prepare_array(w, e);
    else
        prepare_scalar(w, e);
}
